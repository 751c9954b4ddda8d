// Wrong: the key of the memo is the tokens and the turn, without the tiles. The order of the
// directions differs from that of the mistake's plain solver.
#include <map>
#include <tuple>
#include <vector>
using namespace std;

static map<tuple<int, int, int, int, int>, int> known;
static vector<vector<int>> tiles;

static int play(int r, int c, int otherR, int otherC, int turn) {
    if (!tiles[r][c]) return 0;
    auto key = turn ? make_tuple(otherR, otherC, r, c, 1) : make_tuple(r, c, otherR, otherC, 0);
    if (known.count(key)) return known[key];
    int win = 0, loss = 0;
    const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (auto& step : steps) {
        int nr = r + step[0], nc = c + step[1];
        if (nr < 0 || nc < 0 || nr >= (int)tiles.size() || nc >= (int)tiles[0].size() || !tiles[nr][nc]) continue;
        tiles[r][c] = 0;
        int plies = 1 + play(otherR, otherC, nr, nc, 1 - turn);
        tiles[r][c] = 1;
        if (plies % 2) win = win ? min(win, plies) : plies;
        else loss = max(loss, plies);
    }
    return known[key] = win ? win : loss;
}

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    tiles = board;
    known.clear();
    return play(aloc[0], aloc[1], bloc[0], bloc[1], 0);
}
