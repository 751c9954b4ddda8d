// The interactor of a game: it plays the opponent perfectly, from a table that the test's answer file holds.
//
//   validate INPUT ANSWER FEEDBACK_DIR < the program's output > the program's input
//
// Exit codes: 42 accepted, 43 wrong answer, 1 a fault of the package.
//
// INPUT: the game's name, the player's name, the result to get (1 a win, 0 a draw, -1 a loss, or a score), the first position.
// ANSWER: a line with the number of positions in which the program is to move; then each with its number of moves and its text, and below it
// each move, the number of replies, the replies, and `n` with the number of the next position, or `e` with the result for the program.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Move {
    std::string text;
    std::vector<std::string> replies;
    bool is_end;
    long next;
};

struct Position {
    std::string text;
    std::vector<Move> moves;
};

static std::string feedback;

[[noreturn]] static void finish(int code, const std::string& message) {
    std::ofstream(feedback + "/judgemessage.txt", std::ios::app) << message << "\n";
    std::exit(code);
}

static std::vector<Position> read_table(std::ifstream file) {
    size_t count = 0;
    file >> count;
    std::vector<Position> positions(count);
    for (Position& position : positions) {
        size_t moves = 0;
        file >> moves >> std::ws;
        std::getline(file, position.text);
        position.moves.resize(moves);
        for (Move& move : position.moves) {
            size_t replies = 0;
            file >> move.text >> replies;
            move.replies.resize(replies);
            for (std::string& reply : move.replies) file >> reply;
            std::string kind;
            file >> kind >> move.next;
            move.is_end = kind == "e";
            if (!file || (!move.is_end && (move.next < 0 || move.next >= (long)count))) finish(1, "the answer file is damaged");
        }
    }
    return positions;
}

// The next line that is neither blank nor a comment, without the blanks around it.
static bool read_move(std::string& move) {
    std::string line;
    while (std::getline(std::cin, line)) {
        size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[0] == '#') continue;
        move = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
        return true;
    }
    return false;
}

int main(int count, char** words) {
    if (count < 4) return 1;
#ifdef SIGPIPE
    // A program that has ended does not read: its verdict is found all the same.
    std::signal(SIGPIPE, SIG_IGN);
#endif
    feedback = words[3];
    std::ifstream input(words[1]);
    std::string game, player;
    long goal = 0;
    std::getline(input, game);
    std::getline(input, player);
    if (!(input >> goal)) finish(1, "the input file is damaged");
    std::vector<Position> positions = read_table(std::ifstream(words[2]));
    if (positions.empty()) finish(1, "the answer file is damaged");

    std::cout << "game " << game << "\nyou first " << player << "\n";
    for (long now = 0, number = 1;; number++) {
        const Position& position = positions[now];
        std::cout << "position " << position.text << "\nmoves";
        for (const Move& move : position.moves) std::cout << ' ' << move.text;
        std::cout << "\ngo" << std::endl;
        std::string text;
        const std::string where = "move " + std::to_string(number) + " at " + position.text + ": ";
        if (!read_move(text)) finish(43, where + "the program wrote no move");
        const Move* made = nullptr;
        for (const Move& move : position.moves)
            if (move.text == text) made = &move;
        if (!made) finish(43, where + "`" + text.substr(0, 80) + "` is not a legal move");
        for (const std::string& reply : made->replies) std::cout << "played " << reply << std::endl;
        if (!made->is_end) {
            now = made->next;
            continue;
        }
        const long result = made->next;
        std::cout << "end " << (result > 0 ? "win" : result < 0 ? "loss" : "draw") << std::endl;
        std::ostringstream message;
        message << "the program got " << result << ", and " << goal << " was needed";
        finish(result >= goal ? 42 : 43, message.str());
    }
}
