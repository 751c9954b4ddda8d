// Wrong: exchanges the row and the column of the tokens.
#include <algorithm>
#include <vector>
using namespace std;

static int rows, cols;
static int tile[5][5];

static int play(int r, int c, int otherR, int otherC) {
    if (!tile[r][c]) return 0;
    int win = 0, loss = 0;
    const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    tile[r][c] = 0;
    for (auto& step : steps) {
        const int nr = r + step[0], nc = c + step[1];
        if (nr < 0 || nc < 0 || nr >= rows || nc >= cols || !tile[nr][nc]) continue;
        const int plies = 1 + play(otherR, otherC, nr, nc);
        if (plies % 2) win = win ? min(win, plies) : plies;
        else loss = max(loss, plies);
    }
    tile[r][c] = 1;
    return win ? win : loss;
}

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    rows = board.size(), cols = board[0].size();
    for (auto& row : tile) fill(row, row + 5, 0);
    for (int r = 0; r < rows; ++r) copy(board[r].begin(), board[r].end(), tile[r]);
    return play(aloc[1], aloc[0], bloc[1], bloc[0]);
}
