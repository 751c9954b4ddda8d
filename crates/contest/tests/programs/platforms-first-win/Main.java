// Wrong on purpose: stops at the first move that wins, though another may win sooner.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Main {
    static final int[][] STEPS = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    static int[][] board;

    static class Result {
        final boolean wins;
        final int plies;

        Result(boolean wins, int plies) {
            this.wins = wins;
            this.plies = plies;
        }
    }

    static Result play(int r, int c, int otherR, int otherC) {
        if (board[r][c] == 0) {
            return new Result(false, 0);
        }
        int longest = 0;
        for (int[] step : STEPS) {
            int nr = r + step[0];
            int nc = c + step[1];
            if (nr < 0 || nr >= board.length || nc < 0 || nc >= board[0].length || board[nr][nc] == 0) {
                continue;
            }
            board[r][c] = 0;
            Result reply = play(otherR, otherC, nr, nc);
            board[r][c] = 1;
            if (!reply.wins) {
                return new Result(true, reply.plies + 1);
            }
            longest = Math.max(longest, reply.plies + 1);
        }
        return new Result(false, longest);
    }

    static List<Integer> numbers(String text) {
        List<Integer> found = new ArrayList<>();
        Matcher matcher = Pattern.compile("\\d+").matcher(text);
        while (matcher.find()) {
            found.add(Integer.parseInt(matcher.group()));
        }
        return found;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            int end = line.indexOf("]]");
            String[] rows = line.substring(line.indexOf("[[") + 2, end).split("\\]\\s*,\\s*\\[");
            board = new int[rows.length][];
            for (int i = 0; i < rows.length; i++) {
                board[i] = numbers(rows[i]).stream().mapToInt(n -> n).toArray();
            }
            List<Integer> tokens = numbers(line.substring(end));
            System.out.println(play(tokens.get(0), tokens.get(1), tokens.get(2), tokens.get(3)).plies);
        }
    }
}
