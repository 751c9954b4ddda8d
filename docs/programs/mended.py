def solution(board, aloc, bloc):
    rows, cols = len(board), len(board[0])

    def play(mover, other):
        """Whether the player to move wins, and in how many moves."""
        r, c = mover
        if not board[r][c]:
            return False, 0
        wins, losses = [], []
        for nr, nc in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
            if 0 <= nr < rows and 0 <= nc < cols and board[nr][nc]:
                board[r][c] = 0
                other_wins, moves = play(other, (nr, nc))
                board[r][c] = 1
                (losses if other_wins else wins).append(moves + 1)
        if wins:
            return True, min(wins)
        return False, max(losses, default=0)

    return play(tuple(aloc), tuple(bloc))[1]
