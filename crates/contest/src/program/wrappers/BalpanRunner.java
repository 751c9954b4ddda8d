import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls {@code solution(board, aloc, bloc)} of the class {@code Solution} once for each line
 * of standard input, and prints each result on a line. Prints of the class itself go to
 * standard error.
 */
final class BalpanRunner {
    private final String line;
    private int at;

    private BalpanRunner(String line) {
        this.line = line;
    }

    public static void main(String[] arguments) throws Exception {
        FileOutputStream answers = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        // Read before the class is loaded, which may itself read standard input.
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        Solution solution = new Solution();
        for (String line : input.split("\n")) {
            if (line.isBlank()) {
                continue;
            }
            // Each array is parsed anew, so the method may change its arguments.
            int[][] board = new BalpanRunner(line).listsOf("board").toArray(new int[0][]);
            int[] aloc = new BalpanRunner(line).listsOf("aloc").get(0);
            int[] bloc = new BalpanRunner(line).listsOf("bloc").get(0);
            // Flushed, so that the answer is not lost if the next call never returns.
            String answer = String.valueOf(solution.solution(board, aloc, bloc));
            answers.write((answer.replaceAll("\\s+", " ") + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Parses the innermost lists of numbers of the value with this name. */
    private List<int[]> listsOf(String name) {
        at = line.indexOf('"' + name + '"');
        if (at < 0) {
            throw new IllegalArgumentException("no " + name + " in this case: " + line);
        }
        at = line.indexOf('[', at);
        List<int[]> lists = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        int depth = 0;
        do {
            char c = line.charAt(at++);
            if (c == '[') {
                depth++;
                numbers.clear();
            } else if (c == ']') {
                depth--;
                if (!numbers.isEmpty()) {
                    lists.add(numbers.stream().mapToInt(Integer::intValue).toArray());
                    numbers.clear();
                }
            } else if (Character.isDigit(c)) {
                int number = c - '0';
                while (Character.isDigit(line.charAt(at))) {
                    number = 10 * number + (line.charAt(at++) - '0');
                }
                numbers.add(number);
            }
        } while (depth > 0);
        return lists;
    }
}
