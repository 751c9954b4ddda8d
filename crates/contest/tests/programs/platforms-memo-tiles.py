# Wrong: the key of the memo is the tokens and the turn, without the tiles.
def solution(board, aloc, bloc):
    rows, cols = len(board), len(board[0])
    known = {}

    def play(a, b, turn):
        r, c = b if turn else a
        if not board[r][c]:
            return 0
        if (a, b, turn) in known:
            return known[a, b, turn]
        wins, losses = [], []
        for nr, nc in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
            if 0 <= nr < rows and 0 <= nc < cols and board[nr][nc]:
                board[r][c] = 0
                plies = play(a, (nr, nc), 0) if turn else play((nr, nc), b, 1)
                board[r][c] = 1
                (losses if plies % 2 else wins).append(plies + 1)
        known[a, b, turn] = min(wins) if wins else max(losses, default=0)
        return known[a, b, turn]

    return play(tuple(aloc), tuple(bloc), 0)
