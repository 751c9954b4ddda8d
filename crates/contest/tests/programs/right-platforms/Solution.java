// Right: minimax with alpha-beta; a win counts for more the sooner it comes.
class Solution {
    private int rows;
    private int cols;

    public int solution(int[][] board, int[] aloc, int[] bloc) {
        rows = board.length;
        cols = board[0].length;
        int tiles = 0;
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < cols; c++) {
                tiles |= board[r][c] << (r * cols + c);
            }
        }
        int a = aloc[0] * cols + aloc[1];
        int b = bloc[0] * cols + bloc[1];
        return 100 - Math.abs(search(tiles, a, b, 0, -100, 100));
    }

    // 100 - plies for a win of the player to move, plies - 100 for a loss.
    private int search(int tiles, int me, int other, int depth, int alpha, int beta) {
        int best = depth - 100;
        if ((tiles >> me & 1) == 0) {
            return best;
        }
        beta = Math.min(beta, 99 - depth);
        int rest = tiles & ~(1 << me);
        int[] cells = {
            me >= cols ? me - cols : -1,
            me + cols < rows * cols ? me + cols : -1,
            me % cols > 0 ? me - 1 : -1,
            me % cols < cols - 1 ? me + 1 : -1,
        };
        for (int cell : cells) {
            if (alpha >= beta) {
                break;
            }
            if (cell < 0 || (rest >> cell & 1) == 0) {
                continue;
            }
            int value = -search(rest, other, cell, depth + 1, -beta, -alpha);
            best = Math.max(best, value);
            alpha = Math.max(alpha, value);
        }
        return best;
    }
}
