// Reads cases from standard input and writes answers to standard output, for runner.cpp.
#pragma once

#include <string>
#include <vector>

namespace balpan_cases {

using List = std::vector<int>;
using Lists = std::vector<List>;

/// Reads the next case. Returns false if there is none.
bool next(Lists& board, List& aloc, List& bloc);

/// Writes a line to the real standard output.
void write(const std::string& answer);

/// Writes a number as it is, and other types literally.
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
