// Right: the nimbers of the connected parts of the free cells.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

static std::unordered_map<unsigned, int> known;
static std::vector<unsigned> moves;

static unsigned part_of(unsigned free, unsigned part) {
    const unsigned left = 0x108421, right = left << 4;
    for (;;) {
        unsigned more = part | (part & ~right) << 1 | (part & ~left) >> 1 | part << 5 | part >> 5;
        more &= free;
        if (more == part) return part;
        part = more;
    }
}

static int nimber(unsigned free);

static int of_part(unsigned part) {
    auto found = known.find(part);
    if (found != known.end()) return found->second;
    unsigned seen = 0;
    for (unsigned move : moves) {
        if ((move & part) == move) seen |= 1u << nimber(part ^ move);
    }
    int least = 0;
    while (seen >> least & 1) ++least;
    return known[part] = least;
}

static int nimber(unsigned free) {
    int sum = 0;
    while (free) {
        const unsigned part = part_of(free, free & (~free + 1));
        sum ^= of_part(part);
        free ^= part;
    }
    return sum;
}

int main() {
    for (int cell = 0; cell < 25; ++cell) {
        const bool right = cell % 5 < 4, below = cell < 20;
        if (right) moves.push_back(3u << cell);
        if (below) moves.push_back(33u << cell);
        if (right && below) {
            for (unsigned corner : {1u, 2u, 32u, 64u}) moves.push_back((99u & ~corner) << cell);
        }
    }
    int cases;
    std::cin >> cases;
    while (cases--) {
        unsigned free = 0;
        for (int cell = 0; cell < 25; ++cell) {
            char c;
            std::cin >> c;
            free |= static_cast<unsigned>(c == '.') << cell;
        }
        std::cout << (nimber(free) ? "WINNING" : "LOSING") << std::endl;
    }
}
