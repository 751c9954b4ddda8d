// Wrong on purpose: counts a step of A and a step of B as one round.
#include <algorithm>
#include <utility>
#include <vector>

using namespace std;

class Game {
public:
    Game(const vector<vector<int>>& board) : board(board) {}

    pair<bool, int> play(vector<int> me, vector<int> you) {
        if (board[me[0]][me[1]] == 0) return {false, 0};
        bool can_win = false;
        int fast = 1000, slow = 0;
        for (auto step : {pair<int, int>{0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
            vector<int> to = {me[0] + step.first, me[1] + step.second};
            if (!inside(to) || board[to[0]][to[1]] == 0) continue;
            board[me[0]][me[1]] = 0;
            auto reply = play(you, to);
            board[me[0]][me[1]] = 1;
            if (reply.first) {
                slow = max(slow, reply.second + 1);
            } else {
                can_win = true;
                fast = min(fast, reply.second + 1);
            }
        }
        return {can_win, can_win ? fast : slow};
    }

private:
    bool inside(const vector<int>& at) const {
        return at[0] >= 0 && at[1] >= 0 && at[0] < (int)board.size() && at[1] < (int)board[0].size();
    }

    vector<vector<int>> board;
};

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    int plies = Game(board).play(aloc, bloc).second;
    return plies / 2 + plies % 2;
}
