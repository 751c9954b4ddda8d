// Wrong on purpose: finds the longest game, whoever wins.
#include <algorithm>
#include <vector>

using namespace std;

static vector<vector<int>> grid;
static const int dy[] = {1, 0, -1, 0};
static const int dx[] = {0, 1, 0, -1};

static int dfs(int ay, int ax, int by, int bx, int turn) {
    int y = turn ? by : ay, x = turn ? bx : ax;
    if (!grid[y][x]) return 0;
    int longest = 0;
    grid[y][x] = 0;
    for (int d = 0; d < 4; d++) {
        int ny = y + dy[d], nx = x + dx[d];
        if (ny < 0 || nx < 0 || ny >= (int)grid.size() || nx >= (int)grid[0].size() || !grid[ny][nx]) continue;
        int count = turn ? dfs(ay, ax, ny, nx, 0) : dfs(ny, nx, by, bx, 1);
        longest = max(longest, count + 1);
    }
    grid[y][x] = 1;
    return longest;
}

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    grid = board;
    return dfs(aloc[0], aloc[1], bloc[0], bloc[1], 0);
}
