// Calls `solution(board, aloc, bloc)` of a file once for each line of standard input and
// prints what it returns, a line a call.
//
// The file comes first and by itself: it sees its own includes and no others, and no name
// of this program is in its way.
#include "submitted.cpp"

// Some make every `int` a `long long` in this way.
#undef int

#include "balpan_cases.hpp"

int main() {
    balpan_cases::Lists board;
    balpan_cases::List aloc, bloc;
    // Each list is read from the text anew, so the function may change what it is given.
    while (balpan_cases::next(board, aloc, bloc)) {
        balpan_cases::answer(solution(board, aloc, bloc));
    }
}
