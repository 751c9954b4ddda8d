// Wrong: dominoes are shifted bits that wrap over the end of a row.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

std::vector<unsigned> moves;
std::unordered_map<unsigned, bool> known;

bool wins(unsigned free) {
    auto found = known.find(free);
    if (found != known.end()) return found->second;
    bool winning = false;
    for (unsigned move : moves) {
        if ((move & free) == move && !wins(free ^ move)) {
            winning = true;
            break;
        }
    }
    return known[free] = winning;
}

int main() {
    for (int cell = 0; cell < 24; ++cell) moves.push_back(3u << cell);
    for (int cell = 0; cell < 20; ++cell) moves.push_back(33u << cell);
    for (int row = 0; row < 4; ++row) {
        for (int col = 0; col < 4; ++col) {
            for (unsigned corner : {1u, 2u, 32u, 64u}) moves.push_back((99u & ~corner) << (row * 5 + col));
        }
    }
    int cases;
    std::cin >> cases;
    while (cases--) {
        unsigned free = 0;
        std::string row;
        for (int r = 0; r < 5; ++r) {
            std::cin >> row;
            for (int c = 0; c < 5; ++c) free |= (row[c] == '.') << (r * 5 + c);
        }
        std::cout << (wins(free) ? "WINNING" : "LOSING") << '\n';
    }
}
