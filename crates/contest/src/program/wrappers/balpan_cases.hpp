// The cases of standard input and the answers of standard output, for runner.cpp.
#pragma once

#include <string>
#include <vector>

namespace balpan_cases {

using List = std::vector<int>;
using Lists = std::vector<List>;

/// The next case, if there is one.
bool next(Lists& board, List& aloc, List& bloc);

/// Writes a line of the real standard output.
void write(const std::string& answer);

/// A number as it is; anything else so that it is seen for what it is.
template <class Number>
void answer(Number number) {
    write(std::to_string(number));
}

inline void answer(bool is_so) {
    write(is_so ? "true" : "false");
}

inline void answer(const std::string& text) {
    write('"' + text + '"');
}

}  // namespace balpan_cases
