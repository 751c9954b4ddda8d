// Right: solves all 3^9 boards by retrograde analysis from the full ones.
#include <cstdio>

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
// Indexed by the board as a base-3 number and by the player to move: 1 if x wins, -1 if o does.
static int worth[19683][2];
static int power[9];

static void settle(int board) {
    int mark[9], free = 0, won = 0;
    for (int cell = 0, rest = board; cell < 9; ++cell, rest /= 3) free += (mark[cell] = rest % 3) == 0;
    for (auto& line : lines) {
        if (mark[line[0]] && mark[line[0]] == mark[line[1]] && mark[line[1]] == mark[line[2]]) won = mark[line[0]];
    }
    for (int o = 0; o < 2; ++o) {
        if (won || !free) {
            worth[board][o] = won == 1 ? 1 : won == 2 ? -1 : 0;
            continue;
        }
        int best = -2;
        for (int cell = 0; cell < 9; ++cell) {
            if (mark[cell]) continue;
            const int after = worth[board + (o + 1) * power[cell]][1 - o] * (o ? -1 : 1);
            if (after > best) best = after;
        }
        worth[board][o] = o ? -best : best;
    }
}

int main() {
    for (int cell = 0, p = 1; cell < 9; ++cell, p *= 3) power[cell] = p;
    // A move makes the number larger.
    for (int board = 19682; board >= 0; --board) settle(board);
    int cases;
    if (std::scanf("%d", &cases) != 1) return 0;
    while (cases--) {
        int board = 0, more = 0;
        for (int cell = 0; cell < 9; ++cell) {
            char c;
            if (std::scanf(" %c", &c) != 1) return 0;
            board += c == 'x' ? power[cell] : c == 'o' ? 2 * power[cell] : 0;
            more += c == 'x' ? 1 : c == 'o' ? -1 : 0;
        }
        const int value = worth[board][more];
        std::puts(value > 0 ? "x" : value < 0 ? "o" : "TIE");
    }
}
