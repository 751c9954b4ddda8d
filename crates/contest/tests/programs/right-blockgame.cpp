// Right: a memo with room for all 2^25 boards.
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

static char* known;
static int moves[104], count_;

// A cell without a free neighbor cannot be covered.
static int usable(int free_cells) {
    const int left = 0x108421, right = left << 4;
    int beside = (free_cells & ~right) << 1 | (free_cells & ~left) >> 1 | free_cells << 5 | free_cells >> 5;
    return free_cells & beside;
}

static bool wins(int free_cells) {
    free_cells = usable(free_cells);
    if (known[free_cells]) return known[free_cells] == 1;
    bool winning = false;
    for (int i = 0; i < count_ && !winning; i++)
        winning = (moves[i] & free_cells) == moves[i] && !wins(free_cells & ~moves[i]);
    known[free_cells] = winning ? 1 : 2;
    return winning;
}

int main() {
    known = (char*)calloc(1 << 25, 1);
    // Squares of 2x2 without one cell, and dominoes.
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) {
            int cell = 1 << (r * 5 + c);
            if (r < 4 && c < 4) {
                int square = cell | cell << 1 | cell << 5 | cell << 6;
                for (int missing : {0, 1, 5, 6}) moves[count_++] = square & ~(cell << missing);
            }
            if (c < 4) moves[count_++] = cell | cell << 1;
            if (r < 4) moves[count_++] = cell | cell << 5;
        }
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    while (cases-- > 0) {
        int free_cells = 0;
        for (int cell = 0; cell < 25; cell++) {
            char glyph;
            if (scanf(" %c", &glyph) != 1) return 1;
            if (glyph == '.') free_cells |= 1 << cell;
        }
        puts(wins(free_cells) ? "WINNING" : "LOSING");
    }
}
