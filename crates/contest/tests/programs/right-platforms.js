// Right: alpha-beta search that prefers faster wins.
function solution(board, aloc, bloc) {
    const rows = board.length;
    const cols = board[0].length;
    const steps = [[-1, 0], [1, 0], [0, -1], [0, 1]];

    // 100 - plies for a win of the player to move, plies - 100 for a loss.
    function search(me, other, depth, alpha, beta) {
        const [r, c] = me;
        let best = depth - 100;
        if (!board[r][c]) return best;
        for (const [down, right] of steps) {
            const to = [r + down, c + right];
            if (alpha >= beta) break;
            if (!board[to[0]] || !board[to[0]][to[1]]) continue;
            board[r][c] = 0;
            const value = -search(other, to, depth + 1, -Math.min(beta, 99 - depth), -alpha);
            board[r][c] = 1;
            best = Math.max(best, value);
            alpha = Math.max(alpha, value);
            beta = Math.min(beta, 99 - depth);
        }
        return best;
    }

    return 100 - Math.abs(search(aloc, bloc, 0, -100, 100));
}
