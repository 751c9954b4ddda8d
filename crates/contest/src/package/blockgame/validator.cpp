// Validates an input of the block game.
#include "testlib.h"

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int cases = inf.readInt(1, 50, "cases");
    inf.readEoln();
    for (int row = 0; row < 5 * cases; row++) {
        inf.readToken("[.#]{5}", "row");
        inf.readEoln();
    }
    inf.readEof();
}
