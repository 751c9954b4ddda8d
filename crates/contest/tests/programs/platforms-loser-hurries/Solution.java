// Wrong on purpose: whoever must lose takes the fewest plies, too.
class Solution {
    private int[][] board;
    private static final int[] DR = {-1, 0, 1, 0};
    private static final int[] DC = {0, 1, 0, -1};

    public int solution(int[][] board, int[] aloc, int[] bloc) {
        this.board = board;
        return Math.abs(play(aloc[0], aloc[1], bloc[0], bloc[1])) - 1;
    }

    // Plies + 1; negative if the player to move loses.
    private int play(int myRow, int myCol, int row, int col) {
        if (board[myRow][myCol] == 0) {
            return -1;
        }
        int win = 0;
        int loss = 0;
        for (int d = 0; d < 4; d++) {
            int r = myRow + DR[d];
            int c = myCol + DC[d];
            if (r < 0 || c < 0 || r >= board.length || c >= board[0].length || board[r][c] == 0) {
                continue;
            }
            board[myRow][myCol] = 0;
            int result = play(row, col, r, c);
            board[myRow][myCol] = 1;
            int plies = Math.abs(result) + 1;
            if (result < 0) {
                win = win == 0 ? plies : Math.min(win, plies);
            } else {
                loss = loss == 0 ? plies : Math.min(loss, plies);
            }
        }
        if (win > 0) {
            return win;
        }
        return loss > 0 ? -loss : -1;
    }
}
