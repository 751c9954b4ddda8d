// Calls `solution(board, aloc, bloc)` of a file once for each line of standard input, and
// prints each result on a line.
//
// The file comes first, so that it sees only its own includes and no names of this program.
#include "submitted.cpp"

// Some files define `int` as `long long`.
#undef int

#include "balpan_cases.hpp"

int main() {
    balpan_cases::Lists board;
    balpan_cases::List aloc, bloc;
    // Each list is parsed anew, so the function may change its arguments.
    while (balpan_cases::next(board, aloc, bloc)) {
        balpan_cases::answer(solution(board, aloc, bloc));
    }
}
