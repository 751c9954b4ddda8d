// Validates an input of Disappearing platforms.
#include <string>
#include <vector>

#include "testlib.h"

static std::string line;
static size_t at;
static int number;

static bool is_next(const std::string& text) { return line.compare(at, text.size(), text) == 0; }

static void eat(const std::string& text) {
    ensuref(is_next(text), "line %d, column %d: `%s` is expected", number, int(at) + 1, text.c_str());
    at += text.size();
}

static int digit(int most) {
    bool is_one = at < line.size() && line[at] >= '0' && line[at] <= '0' + most;
    ensuref(is_one, "line %d, column %d: 0 to %d is expected", number, int(at) + 1, most);
    return line[at++] - '0';
}

static std::vector<int> row() {
    std::vector<int> tiles;
    eat("[");
    do tiles.push_back(digit(1));
    while (is_next(",") && (eat(","), true));
    eat("]");
    return tiles;
}

static void token(const std::vector<std::vector<int>>& board) {
    eat("[");
    size_t r = digit(4);
    eat(",");
    size_t c = digit(4);
    eat("]");
    bool on_tile = r < board.size() && c < board[0].size() && board[r][c] == 1;
    ensuref(on_tile, "line %d: a token is not on a tile", number);
}

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    do {
        line = inf.readLine();
        at = 0;
        number++;
        std::vector<std::vector<int>> board;
        eat("{\"board\":[");
        do board.push_back(row());
        while (is_next(",") && (eat(","), true));
        eat("],\"aloc\":");
        ensuref(board.size() <= 5 && board[0].size() <= 5, "line %d: more than 5x5", number);
        for (auto& tiles : board) ensuref(tiles.size() == board[0].size(), "line %d: rows differ in length", number);
        token(board);
        eat(",\"bloc\":");
        token(board);
        eat("}");
        ensuref(at == line.size(), "line %d: more than a case", number);
    } while (!inf.eof());
    inf.readEof();
}
