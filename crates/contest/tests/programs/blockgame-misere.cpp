// Wrong on purpose: a player who cannot place a block wins.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

using namespace std;

static vector<int> moves;
static unordered_map<int, bool> cache_;

static void precalc() {
    const int L[4][3][2] = {
        {{0, 0}, {0, 1}, {1, 0}}, {{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {1, 1}}, {{0, 1}, {1, 0}, {1, 1}}};
    auto bit = [](int y, int x) { return 1 << (y * 5 + x); };
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) {
            if (x < 4) moves.push_back(bit(y, x) | bit(y, x + 1));
            if (y < 4) moves.push_back(bit(y, x) | bit(y + 1, x));
            if (x < 4 && y < 4)
                for (auto& shape : L) {
                    int cells = 0;
                    for (auto& at : shape) cells |= bit(y + at[0], x + at[1]);
                    moves.push_back(cells);
                }
        }
}

static bool wins(int board) {
    auto known = cache_.find(board);
    if (known != cache_.end()) return known->second;
    bool can_move = false, winning = false;
    for (int move : moves)
        if (!(board & move)) {
            can_move = true;
            if (!wins(board | move)) {
                winning = true;
                break;
            }
        }
    if (!can_move) winning = true;
    return cache_[board] = winning;
}

int main() {
    precalc();
    int cases;
    cin >> cases;
    while (cases--) {
        int board = 0;
        for (int y = 0; y < 5; y++) {
            string row;
            cin >> row;
            for (int x = 0; x < 5; x++)
                if (row[x] == '#') board |= 1 << (y * 5 + x);
        }
        cout << (wins(board) ? "WINNING" : "LOSING") << "\n";
    }
}
