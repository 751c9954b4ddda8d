# Wrong on purpose: each player heads for its nearest win, as if the other cooperated.
from collections import deque


def solution(board, aloc, bloc):
    n, m = len(board), len(board[0])

    def around(tiles, r, c):
        for nr, nc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if 0 <= nr < n and 0 <= nc < m and (nr, nc) in tiles:
                yield nr, nc

    def shortest_win(tiles, me, you, turn):
        # Breadth-first search for the first end at which player 0 has won.
        queue = deque([(tiles, me, you, turn, 0)])
        while queue:
            tiles, me, you, turn, steps = queue.popleft()
            mover = (me, you)[turn]
            goals = list(around(tiles, *mover)) if mover in tiles else []
            if not goals and turn == 1:
                return steps
            for goal in goals:
                rest = tiles - {mover}
                if turn == 0:
                    queue.append((rest, goal, you, 1, steps + 1))
                else:
                    queue.append((rest, me, goal, 0, steps + 1))
        return 10**9

    tiles = frozenset((r, c) for r in range(n) for c in range(m) if board[r][c])
    tokens = [tuple(aloc), tuple(bloc)]
    count = 0
    while True:
        me, you = tokens[count % 2], tokens[1 - count % 2]
        if me not in tiles:
            return count
        goals = list(around(tiles, *me))
        if not goals:
            return count
        goal = min(goals, key=lambda goal: shortest_win(tiles - {me}, goal, you, 1))
        tiles -= {me}
        tokens[count % 2] = goal
        count += 1
