//! A submitted `solution` in each language gets each case as its arguments, its prints are not answers, and its errors are
//! reported.
//!
//! A language that is not installed is skipped, with a printed line, unless `BALPAN_PROGRAMS=required` is set.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use balpan::{SplitMix, Watch};
use balpan_contest::{End, Judge, Platforms, Program, ProgramError, Run};
use tempfile::TempDir;

use crate::running::{LIMITS, within};

/// A solution that encodes its arguments in the answer, prints, and changes its arguments.
const PYTHON: &str = r#"
import sys
calls = 0
def solution(board, aloc, bloc):
    global calls
    calls += 1
    print("a print", calls)
    sys.stdout.write("no line's end")
    tiles = sum(map(sum, board))
    answer = (((len(board) * 10 + len(board[0])) * 100 + tiles) * 100 + aloc[0] * 10 + aloc[1]) * 100 + bloc[0] * 10 + bloc[1]
    board.clear(); aloc.clear(); bloc.clear()
    return answer
if __name__ == "__main__":
    print(solution([[1]], [0, 0], [0, 0]))
"#;

const CPP: &str = r#"
#include <string>
#include <vector>
#include <iostream>

using namespace std;

// Names that a runner or the system might have as well.
int read, write[5], link_, line, answers, next_, cases, dup;
vector<int> list;
int calls = 0;

int solution(vector<vector<int>> board, vector<int> aloc, vector<int> bloc) {
    cout << "a print " << ++calls << endl;
    printf("no line's end");
    int tiles = 0;
    for (auto& row : board) for (int tile : row) tiles += tile;
    return (((board.size() * 10 + board[0].size()) * 100 + tiles) * 100 + aloc[0] * 10 + aloc[1]) * 100 + bloc[0] * 10 + bloc[1];
}
"#;

const JAVA: &str = r#"
import java.util.*;
class Helper { static int calls; }
class Solution {
    public int solution(int[][] board, int[] aloc, int[] bloc) {
        System.out.println("a print " + ++Helper.calls);
        System.out.print("no line's end");
        int tiles = 0;
        for (int[] row : board) for (int tile : row) tiles += tile;
        int answer = (((board.length * 10 + board[0].length) * 100 + tiles) * 100 + aloc[0] * 10 + aloc[1]) * 100 + bloc[0] * 10 + bloc[1];
        board[0] = null; aloc[0] = bloc[0] = 9;
        return answer;
    }
}
"#;

const JAVASCRIPT: &str = r#"
let calls = 0;
const solution = (board, aloc, bloc) => {
    console.log("a print", ++calls);
    process.stdout.write("no line's end");
    const tiles = board.flat().reduce((sum, tile) => sum + tile);
    const answer = (((board.length * 10 + board[0].length) * 100 + tiles) * 100 + aloc[0] * 10 + aloc[1]) * 100 + bloc[0] * 10 + bloc[1];
    board.length = aloc.length = bloc.length = 0;
    return answer;
};
"#;

/// Writes a file into a folder of its own.
fn write_file(name: &str, contents: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, contents).unwrap();
    (folder, path)
}

/// Loads a file; `None` if its language is not installed.
fn load(path: &Path) -> Option<Result<Program, ProgramError>> {
    match Program::from_solution(path, &Watch::default()) {
        Err(error @ ProgramError::MissingTool { .. })
            if env::var_os("BALPAN_PROGRAMS").is_none_or(|set| set != "required") =>
        {
            println!("skipped: {error}");
            None
        }
        program => Some(program),
    }
}

fn run(program: &Program, input: &str) -> Run {
    program.run(input.as_bytes(), LIMITS, &Watch::default()).unwrap()
}

/// A case.
const CASE: &str = "{\"board\":[[1,1],[1,0]],\"aloc\":[0,0],\"bloc\":[0,1]}\n";

/// Runs a file on `calls` copies of the case; `None` if its language is not installed.
fn run_file(name: &str, contents: &str, calls: usize) -> Option<Run> {
    let (_folder, path) = write_file(name, contents);
    load(&path).map(|program| run(&program.unwrap(), &CASE.repeat(calls)))
}

/// Returns the error of a file that cannot be run; `None` if its language is not installed.
fn load_error(name: &str, contents: &str) -> Option<ProgramError> {
    let (_folder, path) = write_file(name, contents);
    load(&path).map(|program| program.err().unwrap())
}

fn check_arguments(name: &str, contents: &str) {
    let (_folder, path) = write_file(name, contents);
    let Some(program) = load(&path) else {
        return;
    };
    let program = program.unwrap();
    assert_eq!(program.name(), path.display().to_string());

    let mut random = SplitMix(92345);
    let cases: Vec<_> = (0..500).map(|_| Platforms.random_case(&mut random, 25)).collect();
    let expected: String = cases
        .iter()
        .map(|case| {
            let [a, b] = [case.a, case.b].map(|cell| {
                let (row, col) = case.board.row_col(cell.into());
                10 * row + col
            });
            let size = 10 * case.board.rows() + case.board.cols();
            format!("{}\n", ((size * 100 + case.tiles.count_ones() as usize) * 100 + a) * 100 + b)
        })
        .collect();
    let input = Platforms.write(&cases);
    // The input with and without the spaces that a person would write.
    for input in [input.replace(',', ", ").replace(':', " : "), input] {
        let run = run(&program, &input);
        assert_eq!(
            (String::from_utf8(run.output).unwrap(), run.end),
            (expected.clone(), End::Exited(0)),
            "{}",
            run.errors
        );
        assert!(run.errors.contains("a print 500"), "{}", run.errors);
    }
    let run = run(&program, CASE.trim_end());
    assert_eq!((run.output.iter().filter(|&&byte| byte == b'\n').count(), run.end), (1, End::Exited(0)));
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(left, [path], "something was left beside the file");
}

#[test]
fn python_solutions_run() {
    check_arguments("mine.py", PYTHON);
}

#[test]
fn cpp_solutions_run() {
    check_arguments("mine.cpp", CPP);
}

#[test]
fn java_solutions_run() {
    check_arguments("Mine.java", JAVA);
}

#[test]
fn javascript_solutions_run() {
    check_arguments("mine.js", JAVASCRIPT);
}

/// File names may contain blanks, quotes and more.
#[test]
fn file_names_may_be_odd() {
    let odd = |ending| format!("it's a \"folder\" $HOME/my \"best\" \\n; #1 발판.{ending}");
    check_arguments(&odd("py"), PYTHON);
    check_arguments(&odd("CC"), CPP);
    check_arguments(&odd("java"), JAVA);
    check_arguments(
        &odd("js"),
        &JAVASCRIPT.replace("const solution = (", "function solution(").replace(") => {", ") {"),
    );
}

/// Files in the same folder can be imported.
#[test]
fn files_may_import_their_neighbors() {
    for (name, contents, neighbour, text) in [
        ("mine.py", "from helper import five\ndef solution(board, aloc, bloc): return five", "helper.py", "five = 5"),
        (
            "mine.cpp",
            "#include <vector>\n#include \"helper.h\"\nint solution(std::vector<std::vector<int>>& board, const std::vector<int>& aloc, std::vector<int> bloc) { return five; }",
            "helper.h",
            "const int five = 5;",
        ),
        (
            "mine.js",
            "const { five } = require('./helper.js'); function solution(board, aloc, bloc) { return five; }",
            "helper.js",
            "exports.five = 5;",
        ),
    ] {
        let (folder, path) = write_file(name, contents);
        fs::write(folder.path().join(neighbour), text).unwrap();
        if let Some(program) = load(&path) {
            assert_eq!(run(&program.unwrap(), CASE).output, b"5\n", "{name}");
        }
    }
}

/// The answers before an exception are kept, and the exception is reported.
#[test]
fn exceptions_are_reported() {
    for (name, contents, error) in [
        (
            "a.py",
            "n = 0\ndef solution(board, aloc, bloc):\n    global n\n    n += 1\n    return 7 if n < 3 else [][0]",
            "IndexError",
        ),
        (
            "a.cpp",
            "#include <vector>\n#include <stdexcept>\nint n;\nint solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) { if (++n < 3) return 7; throw std::runtime_error(\"oh\"); }",
            "runtime_error",
        ),
        (
            "a.java",
            "class Solution { int n; int solution(int[][] b, int[] c, int[] d) { return ++n < 3 ? 7 : d[2]; } }",
            "ArrayIndexOutOfBoundsException",
        ),
        ("a.js", "var n = 0; function solution(b, c, d) { if (++n < 3) return 7; return b[5][5]; }", "TypeError"),
    ] {
        let Some(run) = run_file(name, contents, 5) else { continue };
        assert_eq!(String::from_utf8_lossy(&run.output), "7\n7\n", "{name}");
        assert!(run.errors.contains(error), "{name}: {}", run.errors);
        assert!(matches!(run.end, End::Exited(1..) | End::Killed(6)), "{name}: {:?}", run.end);
    }
}

/// The answers before a crash or an endless call are kept.
#[test]
fn answers_survive_crashes_and_hangs() {
    let cpp = "#include <vector>\nint n;\nint solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) { if (++n < 3) return 7; THEN }";
    if let Some(run) = run_file("a.cpp", &cpp.replace("THEN", "__builtin_trap();"), 5) {
        assert_eq!((run.output.as_slice(), run.end), (b"7\n7\n".as_slice(), End::Killed(4)));
    }
    for (name, contents) in [
        (
            "a.py",
            "n = 0\ndef solution(board, aloc, bloc):\n    global n\n    n += 1\n    while n > 2: pass\n    return 7"
                .to_owned(),
        ),
        ("a.cpp", cpp.replace("THEN", "for (volatile int i = 0;; i = 1 - i) {}")),
        (
            "a.java",
            "class Solution { int n; int solution(int[][] b, int[] c, int[] d) { if (++n > 2) for (;;); return 7; } }"
                .to_owned(),
        ),
        ("a.js", "var n = 0; function solution(b, c, d) { if (++n > 2) for (;;); return 7; }".to_owned()),
    ] {
        let (_folder, path) = write_file(name, &contents);
        let Some(program) = load(&path) else { continue };
        let run = program.unwrap().run(CASE.repeat(5).as_bytes(), within(4000), &Watch::default()).unwrap();
        assert_eq!((String::from_utf8_lossy(&run.output).as_ref(), run.end), ("7\n7\n", End::TimeLimit), "{name}");
    }
}

/// Results that are not integers are written literally on one line.
#[test]
fn other_types_are_written_literally() {
    for (name, contents, answer) in [
        ("none.py", "def solution(board, aloc, bloc): pass", "None\n"),
        ("text.py", "def solution(board, aloc, bloc): return '5'", "'5'\n"),
        ("list.py", "def solution(board, aloc, bloc): return board", "[[1, 1], [1, 0]]\n"),
        ("bool.py", "def solution(board, aloc, bloc): return True", "True\n"),
        ("half.py", "def solution(board, aloc, bloc): return 5 / 1", "5.0\n"),
        ("undefined.js", "function solution() {}", "undefined\n"),
        ("text.js", "function solution() { return '5'; }", "'5'\n"),
        ("object.js", "function solution() { return { a: 'x'.repeat(80), b: 'y'.repeat(80) }; }", ""),
        (
            "long.cpp",
            "#include <vector>\nlong long solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) { return -1LL << 40; }",
            "-1099511627776\n",
        ),
        (
            "bool.cpp",
            "#include <vector>\nbool solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) { return true; }",
            "true\n",
        ),
        ("text.java", "class Solution { String solution(int[][] b, int[] c, int[] d) { return \"a\\nb\"; } }", "a b\n"),
        ("long.java", "class Solution { static long solution(int[][] b, int[] c, int[] d) { return 5L; } }", "5\n"),
    ] {
        let Some(run) = run_file(name, contents, 1) else { continue };
        let output = String::from_utf8_lossy(&run.output).into_owned();
        assert_eq!((output.lines().count(), run.end), (1, End::Exited(0)), "{name}: {output}{}", run.errors);
        assert!(answer.is_empty() || output == answer, "{name}: {output}");
    }
}

#[test]
fn compiler_errors_are_reported() {
    for (name, contents, words) in [
        (
            "broken file.cpp",
            "#include <vector>\nint solution(std::vector<std::vector<int>> board) {\n  return nonsense;\n}",
            "broken file.cpp:3:",
        ),
        ("missing.cpp", "int other() { return 1; }", "solution"),
        (
            "main.cpp",
            "#include <vector>\nint solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) { return 1; }\nint main() {}",
            "main",
        ),
        (
            "void.cpp",
            "#include <vector>\nvoid solution(std::vector<std::vector<int>>, std::vector<int>, std::vector<int>) {}",
            "solution",
        ),
        (
            "broken.java",
            "class Solution {\n  int solution(int[][] b, int[] c, int[] d) { return nonsense; }\n}",
            "Solution.java:2: error",
        ),
        ("missing.java", "class Solution {}", "cannot find symbol"),
        ("other.java", "class Other {}", "Solution"),
    ] {
        match load_error(name, contents) {
            Some(ProgramError::Compile { file, errors }) => {
                assert!(file.ends_with(name), "{file}");
                assert!(errors.contains(words) && errors.len() < 10_000, "{name}: {errors}");
            }
            Some(error) => panic!("{name}: {error}"),
            None => {}
        }
    }
}

#[test]
fn load_errors_are_reported() {
    for (name, contents, words) in [
        ("broken.py", "def solution(board:\n", "SyntaxError"),
        ("missing.py", "def answer(board, aloc, bloc): return 1", "there is no function `solution` in it"),
        ("raises.py", "raise ValueError('oh')", "ValueError: oh"),
        ("silent.py", "import os; os._exit(3)", "it ended with code 3"),
        ("broken.js", "function solution(board {", "SyntaxError"),
        ("missing.js", "function answer() {}", "there is no function `solution` in it"),
    ] {
        match load_error(name, contents) {
            Some(ProgramError::Load { errors, .. }) => assert!(errors.contains(words), "{name}: {errors}"),
            Some(error) => panic!("{name}: {error}"),
            None => {}
        }
    }
}

#[test]
fn missing_files_and_unknown_languages_are_refused() {
    let refused = |name: &str| Program::from_solution(Path::new(name), &Watch::default()).unwrap_err();
    assert!(matches!(refused("no/such/file.py"), ProgramError::File { .. }));
    let error = refused("mine.rs");
    assert_eq!(error.to_string(), "`mine.rs` is not in a language whose `solution` can be called");
    assert!(error.help().contains(".py, .cpp, .cc, .cxx, .java or .js"));
    assert!(matches!(refused("mine"), ProgramError::Language { .. }));
}

#[test]
fn a_watch_stops_the_compilation() {
    let (_folder, path) = write_file("mine.cpp", CPP);
    let watch = Watch::default();
    watch.stop();
    assert!(matches!(Program::from_solution(&path, &watch), Err(ProgramError::Stopped(_))));
}

/// LeetCode's own template has `List` in it, and solutions use other names that the site imports.
#[test]
fn python_has_the_names_that_leetcode_imports() {
    let solution = "class Solution:\n    def winner(self, nums: List[int]) -> bool:\n        @cache\n        \
        def f(n):\n            return deque(nums)[n] + gcd(4, 6) + pow(2, 3, 5)\n        return f(0) == 6\n";
    let (_folder, path) = write_file("mine.py", solution);
    let program = Program::from_named_function(&path, "winner", &["nums"], &Watch::default()).unwrap();
    assert_eq!(run(&program, "{\"nums\": [1, 2]}\n{\"nums\": [2]}\n").output, b"true\nfalse\n");
}
