// Validates an input of {source}.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "testlib.h"

[[maybe_unused]] static std::vector<long long> numbers(const std::string& name, long long count, long long from, long long to, bool increasing) {
    std::vector<long long> all;
    for (long long i = 0; i < count; i++) {
        if (i > 0) inf.readSpace();
        all.push_back(inf.readLong(from, to, name));
        ensuref(!increasing || i == 0 || all[i - 1] < all[i], "%s does not increase", name.c_str());
    }
    return all;
}

// Reads the rows of a grid, or a word as one row. Each letter of `once` is on one cell.
[[maybe_unused]] static void rows(const std::string& name, long long count, long long shortest, long long longest, bool spaced,
                                  const std::string& letters, const std::string& once) {
    std::string all;
    for (long long row = 0; row < count; row++) {
        if (row > 0) inf.readEoln();
        std::string line;
        for (long long i = 0; i < (spaced ? longest : 1); i++) {
            if (i > 0) inf.readSpace();
            std::string token = inf.readToken();
            ensuref(!spaced || token.size() == 1, "%s: a blank is missing", name.c_str());
            line += token;
        }
        long long length = line.size();
        ensuref(shortest <= length && length <= longest, "%s: a row of %d letters", name.c_str(), (int)length);
        ensuref(line.find_first_not_of(letters) == std::string::npos, "%s: a wrong letter", name.c_str());
        // All rows are as long as the first.
        shortest = longest = length;
        all += line;
    }
    for (char letter : once) ensuref(std::count(all.begin(), all.end(), letter) == 1, "%s: not one %c", name.c_str(), letter);
}
{functions}
int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    {cases}
    for (int number = 1; number <= cases; number++) {
{body}    }
    inf.readEof();
}
