import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;

/** Right: two sets of bits for each board, and a memo of both. */
public class Main {
    static final int[] LINES = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    static final Map<Integer, Integer> known = new HashMap<>();

    /** 1 if the player to move wins, -1 if the other does. */
    static int value(int own, int others) {
        for (int line : LINES) {
            if ((others & line) == line) return -1;
        }
        if ((own | others) == 0777) return 0;
        Integer found = known.get(own << 9 | others);
        if (found != null) return found;
        int best = -1;
        for (int cell = 0; cell < 9; cell++) {
            if (((own | others) >> cell & 1) == 0) best = Math.max(best, -value(others, own | 1 << cell));
        }
        known.put(own << 9 | others, best);
        return best;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int cases = in.nextInt();
        while (cases-- > 0) {
            String board = in.next() + in.next() + in.next();
            int x = 0, o = 0;
            for (int cell = 0; cell < 9; cell++) {
                if (board.charAt(cell) == 'x') x |= 1 << cell;
                if (board.charAt(cell) == 'o') o |= 1 << cell;
            }
            boolean xMoves = Integer.bitCount(x) == Integer.bitCount(o);
            int value = xMoves ? value(x, o) : -value(o, x);
            System.out.println(value > 0 ? "x" : value < 0 ? "o" : "TIE");
        }
    }
}
