// Validates an input of tic-tac-toe.
#include <algorithm>
#include <string>

#include "testlib.h"

static bool has_line(const std::string& board, char mark) {
    static const int lines[8][3] = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (auto& line : lines)
        if (board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark) return true;
    return false;
}

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int cases = inf.readInt(1, 50, "cases");
    inf.readEoln();
    for (int number = 1; number <= cases; number++) {
        std::string board;
        for (int row = 0; row < 3; row++) {
            board += inf.readToken("[.xo]{3}", "row");
            inf.readEoln();
        }
        int x = std::count(board.begin(), board.end(), 'x'), o = std::count(board.begin(), board.end(), 'o');
        ensuref(x == o || x == o + 1, "case %d: %d x and %d o, and x moves first", number, x, o);
        // A line ends the game, so its owner made the last mark.
        ensuref(x > o || !has_line(board, 'x'), "case %d: the game went on after a line of x", number);
        ensuref(x == o || !has_line(board, 'o'), "case %d: the game went on after a line of o", number);
    }
    inf.readEof();
}
