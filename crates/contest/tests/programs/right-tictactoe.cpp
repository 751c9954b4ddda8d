// Right: plain minimax that stops at a win.
#include <iostream>
#include <string>

using namespace std;

static bool line(const string& b, char who) {
    static const int lines[8][3] = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (auto& l : lines)
        if (b[l[0]] == who && b[l[1]] == who && b[l[2]] == who) return true;
    return false;
}

// 1: the player to move wins; 0: a tie; -1: the other wins.
static int value(string& b, char me, char other) {
    if (line(b, other)) return -1;
    int best = -2;
    for (char& cell : b)
        if (cell == '.') {
            cell = me;
            int after = -value(b, other, me);
            cell = '.';
            if (after == 1) return 1;
            if (after > best) best = after;
        }
    return best == -2 ? 0 : best;
}

int main() {
    int cases;
    cin >> cases;
    while (cases--) {
        string board, row;
        for (int i = 0; i < 3; i++) cin >> row, board += row;
        int x = 0, o = 0;
        for (char cell : board) x += cell == 'x', o += cell == 'o';
        char me = x > o ? 'o' : 'x', other = x > o ? 'x' : 'o';
        int v = value(board, me, other);
        cout << (v == 0 ? string("TIE") : string(1, v > 0 ? me : other)) << "\n";
    }
}
