// Wrong: the key of the memo is the tokens, without the tiles and the turn.
function solution(board, aloc, bloc) {
    const known = new Map();
    const play = (a, b, turn) => {
        const [r, c] = turn ? b : a;
        if (!board[r][c]) return 0;
        const key = [...a, ...b].join();
        if (known.has(key)) return known.get(key);
        let win = 0, loss = 0;
        for (const [dr, dc] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
            const to = [r + dr, c + dc];
            if (!board[to[0]] || !board[to[0]][to[1]]) continue;
            board[r][c] = 0;
            const plies = 1 + (turn ? play(a, to, 0) : play(to, b, 1));
            board[r][c] = 1;
            if (plies % 2) win = win ? Math.min(win, plies) : plies;
            else loss = Math.max(loss, plies);
        }
        known.set(key, win || loss);
        return win || loss;
    };
    return play(aloc, bloc, 0);
}
