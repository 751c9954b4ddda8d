// Right: alpha-beta search on bit sets that prefers faster wins. A token that shares its tile with
// the other wins by stepping off it.
#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace std;

static int near_[64];

static int search(int tiles, int me, int other, int depth, int alpha, int beta) {
    if (!(tiles >> me & 1)) return depth - 100;
    int rest = tiles & ~(1 << me);
    int steps = near_[me] & rest;
    if (!steps) return depth - 100;
    // A win takes at least one ply, or three if it is not immediate.
    if (me == other) return 99 - depth;
    if (!(near_[other] & rest)) return 99 - depth;
    beta = min(beta, 97 - depth);
    if (alpha >= beta) return beta;
    int best = depth - 100;
    for (; steps; steps &= steps - 1) {
        int value = -search(rest, other, __builtin_ctz(steps), depth + 1, -beta, -alpha);
        best = max(best, value);
        alpha = max(alpha, value);
        if (alpha >= beta) break;
    }
    return best;
}

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    int rows = board.size(), cols = board[0].size(), tiles = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            int cell = r * cols + c, near = 0;
            if (board[r][c]) tiles |= 1 << cell;
            if (r > 0) near |= 1 << (cell - cols);
            if (r + 1 < rows) near |= 1 << (cell + cols);
            if (c > 0) near |= 1 << (cell - 1);
            if (c + 1 < cols) near |= 1 << (cell + 1);
            near_[cell] = near;
        }
    return 100 - abs(search(tiles, aloc[0] * cols + aloc[1], bloc[0] * cols + bloc[1], 0, -100, 100));
}
