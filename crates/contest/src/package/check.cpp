// Compares the words of the output with those of the answer.
#include <string>

#include "testlib.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int number = 0;
    while (!ans.seekEof()) {
        number++;
        if (ouf.seekEof()) quitf(_wa, "the output ends before word %d", number);
        std::string right = ans.readWord(), theirs = ouf.readWord();
        if (right != theirs) quitf(_wa, "word %d is %s, not %s", number, theirs.c_str(), right.c_str());
    }
    if (!ouf.seekEof()) quitf(_wa, "the output goes on after word %d", number);
    quitf(_ok, "%d words", number);
}
