# Right: alpha-beta search that prefers faster wins.
def solution(board, aloc, bloc):
    rows, cols = len(board), len(board[0])
    near = []
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        cells = []
        if r > 0:
            cells.append(cell - cols)
        if r + 1 < rows:
            cells.append(cell + cols)
        if c > 0:
            cells.append(cell - 1)
        if c + 1 < cols:
            cells.append(cell + 1)
        near.append(cells)

    # 100 - plies for a win of the player to move, plies - 100 for a loss.
    def search(tiles, me, other, depth, alpha, beta):
        if not tiles >> me & 1:
            return depth - 100
        if 99 - depth < beta:
            beta = 99 - depth
            if alpha >= beta:
                return beta
        rest = tiles & ~(1 << me)
        best = depth - 100
        for cell in near[me]:
            if rest >> cell & 1:
                value = -search(rest, other, cell, depth + 1, -beta, -alpha)
                if value > best:
                    best = value
                    if value > alpha:
                        alpha = value
                        if alpha >= beta:
                            break
        return best

    tiles = sum(board[cell // cols][cell % cols] << cell for cell in range(rows * cols))
    value = search(tiles, aloc[0] * cols + aloc[1], bloc[0] * cols + bloc[1], 0, -100, 100)
    return 100 - abs(value)
