// Wrong on purpose: calls a full board a tie without looking for a line.
#include <cstdio>
#include <cstring>

static char board[3][4];

static bool has_line(char who) {
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == who && board[i][1] == who && board[i][2] == who) return true;
        if (board[0][i] == who && board[1][i] == who && board[2][i] == who) return true;
    }
    if (board[1][1] != who) return false;
    return (board[0][0] == who && board[2][2] == who) || (board[0][2] == who && board[2][0] == who);
}

// 1: `who`, to move, wins; 0: a tie; -1: a loss.
static int search(char who, int free_cells) {
    if (free_cells == 0) return 0;
    char other = who == 'x' ? 'o' : 'x';
    if (has_line(other)) return -1;
    int best = -1;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (board[r][c] == '.') {
                board[r][c] = who;
                int value = -search(other, free_cells - 1);
                board[r][c] = '.';
                if (value > best) best = value;
            }
    return best;
}

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    while (cases-- > 0) {
        int x = 0, o = 0;
        for (int r = 0; r < 3; r++) {
            if (scanf("%3s", board[r]) != 1) return 1;
            for (int c = 0; c < 3; c++) {
                x += board[r][c] == 'x';
                o += board[r][c] == 'o';
            }
        }
        char turn = x == o ? 'x' : 'o';
        int value = search(turn, 9 - x - o);
        if (value == 0)
            puts("TIE");
        else
            printf("%c\n", (value > 0) == (turn == 'x') ? 'x' : 'o');
    }
}
