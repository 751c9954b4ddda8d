import java.util.Scanner;

/** Right: a byte for each board, filled as boards are met. */
public class Main {
    static final byte[] known = new byte[1 << 25];
    static final int[] moves = new int[104];
    static int many = 0;

    static boolean wins(int free) {
        if (known[free] == 0) {
            known[free] = 1;
            for (int i = 0; i < many; i++) {
                if ((moves[i] & free) == moves[i] && !wins(free ^ moves[i])) {
                    known[free] = 2;
                    break;
                }
            }
        }
        return known[free] == 2;
    }

    public static void main(String[] args) {
        for (int row = 0; row < 5; row++) {
            for (int col = 0; col < 5; col++) {
                int cell = row * 5 + col;
                if (col < 4) moves[many++] = 3 << cell;
                if (row < 4) moves[many++] = 33 << cell;
                if (row < 4 && col < 4) {
                    for (int corner : new int[] {1, 2, 32, 64}) moves[many++] = (99 & ~corner) << cell;
                }
            }
        }
        Scanner in = new Scanner(System.in);
        int cases = in.nextInt();
        StringBuilder out = new StringBuilder();
        while (cases-- > 0) {
            int free = 0;
            for (int row = 0; row < 5; row++) {
                String line = in.next();
                for (int col = 0; col < 5; col++) {
                    if (line.charAt(col) == '.') free |= 1 << (row * 5 + col);
                }
            }
            out.append(wins(free) ? "WINNING\n" : "LOSING\n");
        }
        System.out.print(out);
    }
}
