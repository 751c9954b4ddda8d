// Right: solves all boards within the free cells from the full one up, without recursion.
#include <cstdio>
#include <vector>

int main() {
    const unsigned all = (1u << 25) - 1;
    std::vector<unsigned> moves;
    for (int row = 0; row < 5; ++row) {
        for (int col = 0; col < 5; ++col) {
            const int cell = row * 5 + col;
            if (col < 4) moves.push_back(3u << cell);
            if (row < 4) moves.push_back(33u << cell);
            if (row < 4 && col < 4) {
                for (unsigned corner : {1u, 2u, 32u, 64u}) moves.push_back((99u & ~corner) << cell);
            }
        }
    }
    // Whether the player to move wins, by the free cells: a move leaves a smaller number.
    std::vector<bool> wins(all + 1);
    int cases;
    if (std::scanf("%d", &cases) != 1) return 0;
    while (cases--) {
        unsigned free = 0;
        for (int cell = 0; cell < 25; ++cell) {
            char c;
            if (std::scanf(" %c", &c) == 1 && c == '.') free |= 1u << cell;
        }
        // All subsets of the free cells in numerical order.
        for (unsigned part = 0;; part = (part - free) & free) {
            bool winning = false;
            for (unsigned move : moves) winning = winning || ((move & part) == move && !wins[part ^ move]);
            wins[part] = winning;
            if (part == free) break;
        }
        std::puts(wins[free] ? "WINNING" : "LOSING");
    }
}
