//! Korean output, by the locale or by `--lang`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with exactly these locale variables.
fn balpan(locale: &[(&str, &str)], words: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command.args(words).env("NO_COLOR", "1");
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    command.envs(locale.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that is refused does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn in_korean(words: &[&str], input: &str) -> (Option<i32>, String, String) {
    balpan(&[], &[words, &["--lang", "ko"]].concat(), input)
}

/// Columns of a line: Korean letters are two wide.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum()
}

fn has_korean(text: &str) -> bool {
    text.chars().any(|c| ('\u{ac00}'..='\u{d7a3}').contains(&c))
}

const TIC_TAC_TOE: [&str; 3] = ["solve", "tictactoe", "X../XOO/OX."];

#[test]
fn the_first_variable_of_the_locale_decides() {
    for (locale, korean) in [
        (&[][..], false),
        (&[("LANG", "ko_KR.UTF-8")], true),
        (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ko_KR.UTF-8")], true),
        (&[("LANG", "ko_KR.UTF-8"), ("LC_MESSAGES", "C")], false),
        (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "en_US.UTF-8"), ("LC_ALL", "ko_KR")], true),
        (&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "")], true),
        (&[("LANG", "fr_FR.UTF-8")], false),
    ] {
        let (code, printed, _) = balpan(locale, &TIC_TAC_TOE, "");
        assert_eq!((code, has_korean(&printed)), (Some(0), korean), "{locale:?}: {printed}");
        // `--lang` outranks the locale.
        for (lang, korean) in [("ko", true), ("en", false)] {
            let (_, printed, _) = balpan(locale, &[&TIC_TAC_TOE[..], &["--lang", lang]].concat(), "");
            assert_eq!(has_korean(&printed), korean, "{locale:?} {lang}: {printed}");
        }
    }
}

#[test]
fn a_position_is_solved() {
    let (code, printed, _) = in_korean(&TIC_TAC_TOE, "");
    assert_eq!(code, Some(0));
    let expected = "\
tictactoe 3x3, X 차례

     0  1  2
  0  X  .  .
  1  X  O  O
  2  O  X  .

서로 최선을 다하면 비깁니다.

X의 수, 좋은 수부터:

* 무           0,2
  2수 만에 패  0,1  2,2

최선의 진행(홀수 X, 짝수 O):

     0  1  2
  0  X  2  1
  1  X  O  O
  2  O  X  3

    0,2  0,1  2,2
";
    assert_eq!(printed, expected);
}

#[test]
fn json_is_the_same_in_korean() {
    let json = [&TIC_TAC_TOE[..], &["--json"]].concat();
    let without_time = |text: String| text.split("\"seconds\"").next().unwrap().to_owned();
    let (_, english, _) = balpan(&[], &json, "");
    let (_, korean, _) = in_korean(&json, "");
    assert_eq!(without_time(english), without_time(korean));
    let wrong = ["solve", "tictactoe", "XX", "--json"];
    assert_eq!(balpan(&[], &wrong, ""), in_korean(&wrong, ""));
}

#[test]
fn mistakes_are_described_in_korean() {
    let (code, printed, error) = in_korean(&["solve", "tictactoe", "Xz./XOO/OX."], "");
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(error.contains("국면: `z`: 칸에 쓸 수 없는 문자입니다") && error.contains("여기"), "{error}");
}

#[test]
fn help_and_mistakes_in_the_command_line_are_in_korean() {
    let (code, printed, _) = in_korean(&["solve", "--help"], "");
    assert_eq!(code, Some(0));
    for text in [
        "사용법: balpan solve",
        "인수:",
        "옵션:",
        "[기본값: 1G]",
        "- winner:",
        "누가 이기는지와 이기는 수 하나",
        "도움말 출력",
    ] {
        assert!(printed.contains(text), "{text}: {printed}");
    }
    let (_, printed, _) = balpan(&[("LANG", "ko_KR.UTF-8")], &["--help"], "");
    assert!(printed.contains("게임 목록을 보거나") && !printed.contains("Commands"), "{printed}");
    // Each mistake, with no sentence left in English.
    for (words, text) in [
        (&["solve", "tictactoe", "--nonsense"][..], "'--nonsense': 알 수 없는 인수입니다"),
        (&["solvee", "tictactoe"], "'solvee': 그런 명령은 없습니다"),
        (&["solve"], "꼭 필요한 인수가 빠졌습니다"),
        (&["solve", "tictactoe", "--winner", "--outcome"], "함께 쓸 수 없습니다"),
        (&["solve", "tictactoe", "--deadline", "soon"], "10s, 500ms, 2m처럼 시간을 쓰세요"),
        (&["solve", "tictactoe", "--ask", "all"], "[가능한 값: winner, outcome, value, moves]"),
        (&["stress", "platforms", "r1.py"], "프로그램은 `-- python3 yours.py`처럼"),
        (&["stress", "92345"], "함수 `solution`은 `--solution yours.py`로"),
        (&["solve", "tictactoes"], "혹시 `tictactoe`인가요?"),
        (&["solve", "domineering", "--nimber"], "domineering: 그런디 수가 없는 게임입니다"),
        (&["solve", "tictactoe", "--cgt"], "더할 수 있는 값이 없는 게임입니다"),
        (&["solve", "tictactoe", "--score"], "이 게임에는 점수가 없습니다"),
        (&["solve", "nim", "3", "+"], "`+` 옆에 게임이 없습니다"),
        (&["census", "nim", "3", "+", "nim", "5"], "게임의 합입니다"),
        (&["census", "tictactoe", "--all-boards"], "--all-boards는 놓기 게임에만"),
        (&["tree", "connect4", "--depth", "9"], "그릴 수 없습니다"),
        (&["period", "connect4"], "더미 게임이 아닙니다"),
        (&["quotient", "connect4"], "공평한 게임이 아니거나 미제르 규칙이 아닙니다"),
        (&["problems", "nosuch"], "그런 문제가 없습니다"),
        (&["stress", "platforms", "--solution", "nosuch.py"], "그런 파일이나 폴더가 없습니다"),
        (&["review", "tictactoe", "1,1", "1,1"], "둘 수 없는 수입니다"),
    ] {
        let (code, printed, error) = in_korean(words, "");
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        let error = error.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(error.contains(text), "{words:?}: {error}");
        for english in [" the ", " cannot ", " is ", " expected ", "error", "Usage", " tip"] {
            assert!(!error.contains(english), "{words:?}: {error}");
        }
    }
    let (code, _, error) = balpan(&[], &["stress", "platforms", "--lang", "ko", "--", "./nosuch"], "");
    assert!(code == Some(2) && error.contains("실행할 수 없습니다") && error.contains("스크립트는"), "{error}");
}

#[test]
fn lists_reviews_and_counts_are_in_korean() {
    let (_, printed, _) = in_korean(&["games"], "");
    assert!(printed.contains("사라지는 발판") && printed.contains("도미니어링"), "{printed}");
    let (_, printed, _) = in_korean(&["census", "tictactoe"], "");
    assert!(printed.contains("국면 5,478개") && printed.contains("남은 수") && printed.contains("모두"), "{printed}");
    let (_, printed, _) = in_korean(&["census", "cram", "--board", "2x3", "--all-boards", "--nimber"], "");
    assert!(
        printed.contains("판 64개") && printed.contains("빈 판에서는 선공이 이깁니다. 그런디 수는 1입니다."),
        "{printed}"
    );
    // Without `--lang`, the locale decides of a review, too.
    let (_, printed, _) = balpan(&[("LANG", "ko_KR.UTF-8")], &["review", "tictactoe", "1,1"], "");
    assert!(printed.contains("아직 끝나지 않았습니다"), "{printed}");
}

#[test]
fn reports_of_files_are_in_korean() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (cert, strong, data) = (path("a.cert"), path("a.strong"), path("data"));
    let says = |words: &[&str], told: &[&str]| {
        let (_, printed, error) = in_korean(words, "");
        for told in told {
            assert!(printed.contains(told), "{words:?}: {told}: {printed}{error}");
        }
        let english = ["claims", "positions", "bytes", "symmetric", "proved", "cases", "right", "free"];
        // Below, a table has its columns in English.
        let page = printed.split("\n\n").next().unwrap();
        assert!(!english.iter().any(|word| page.contains(word)), "{words:?}: {page}");
    };
    says(&["prove", "tictactoe", "-o", &cert], &["tictactoe: 무승부", "주장 5개, "]);
    says(&["check", &cert], &["증명됨, tictactoe: 무승부", "  국면 .../.../... x", "  주장 5개, "]);
    says(&["prove", "platforms", "-o", &cert], &["platforms: A 승리"]);
    says(&["prove", "cram", "--nimber", "-o", &cert], &["cram: 그런디 수는 "]);
    says(&["check", &cert], &["cram: 그런디 수는 ", "바이트"]);
    says(&["build", "tictactoe", "-o", &strong], &["tictactoe 3x3: 국면 765개, ", "하나에 "]);
    says(&["strong", "info", &strong], &["대칭은 하나로", "값만으로는", "가장 긴 승리는 "]);
    says(&["strong", "verify", &strong], &["국면 765개 모두 맞음, "]);
    says(&["strong", "diff", &strong, &strong], &["국면도 값도 같습니다"]);
    says(&["build", "tictactoe", "--estimate"], &["tictactoe 3x3: 정확히 국면 765개, ", "디스크: 만드는 동안 "]);
    says(&["generate", "tictactoe", "--cases", "20", "--dir", &data], &["케이스 20개를 파일 20개에, 답과 함께: "]);
}

#[test]
fn a_game_is_played() {
    let input = "h\nm\nx\n9,9\n?\n1,1\nu\n0,0\n0,1\n0,2\nq\n";
    let (code, printed, _) = in_korean(&["play", "tictactoe"], input);
    assert_eq!(code, Some(0));
    for told in
        ["당신은 X입니다", "X 차례입니다:", "서로 최선을 다하면 비깁니다", "대국을 그만둡니다", "둘 수 없습니다"]
    {
        assert!(printed.contains(told), "{told}: {printed}");
    }
    assert!(printed.lines().all(|line| columns(line) <= 80), "{printed}");
    // A whole game with its review.
    let (_, printed, _) = in_korean(&["play", "platforms", "A.B"], "0,1\n");
    assert!(printed.contains("게임이 끝났습니다"), "{printed}");
}

#[test]
fn sums_and_estimates_are_in_korean() {
    let (code, printed, _) = in_korean(&["solve", "nim", "3", "5", "+", "nim", "1"], "");
    assert_eq!(code, Some(0));
    let expected = "\
게임 2개의 합, 선공 차례

               그런디 수
   1  nim 3 5          6
   2  nim 1            1
  합                   7

선공이 이깁니다.

이기는 수:

   1  5>2  남는 국면 nim 2 3, 그런디 수 1
";
    assert!(printed.starts_with(expected), "{printed}");
    let (code, printed, _) = in_korean(&["solve", "nim", "2", "--estimate"], "");
    assert_eq!(code, Some(0));
    assert!(printed.contains("국면") && printed.contains("이 컴퓨터의 스레드"), "{printed}");
    let (_, printed, _) = in_korean(&["solve", "cram", "--board", "2x3", "--nimber"], "");
    assert!(printed.contains("그런디 수는 1입니다."), "{printed}");
}

#[test]
fn a_tree_is_drawn() {
    let (code, printed, _) = in_korean(&["tree", "tictactoe", "X../XOO/OX.", "--depth", "1"], "");
    assert_eq!(code, Some(0));
    assert!(printed.starts_with("Tictactoe 3x3, X 차례: 무승부\n"), "{printed}");
}

#[test]
#[cfg(unix)]
fn a_program_is_tried() {
    let judge = format!("{} judge tictactoe", env!("CARGO_BIN_EXE_balpan"));
    let wrong = format!("{judge} | sed 's/TIE/x/'");
    let (code, printed, error) = in_korean_of_a_program(&["stress", "tictactoe"], &wrong);
    assert_eq!(code, Some(1), "{error}");
    let expected = "\
틀렸습니다.
이보다 작은 케이스는 없습니다: 빈칸 0개.

  1
  oxx
  xoo
  oxx

  정답  TIE
  제출  x
";
    assert!(printed.starts_with("틀렸습니다.\n이보다 작은 케이스는 없습니다: 빈칸 0개.\n"), "{printed}");
    assert_eq!(printed.lines().nth(8), expected.lines().nth(8), "{printed}");
    assert!(printed.contains("그 국면에서 최선의 진행:") && printed.contains("살펴보려면:"), "{printed}");
    assert!(printed.lines().all(|line| columns(line) <= 80), "{printed}");
    let (code, printed, _) =
        in_korean_of_a_program(&["stress", "tictactoe", "--cases", "500", "--time", "10m"], &judge);
    assert_eq!(code, Some(0));
    assert!(printed.contains("모두 맞았습니다"), "{printed}");
}

#[cfg(unix)]
fn in_korean_of_a_program(words: &[&str], program: &str) -> (Option<i32>, String, String) {
    balpan(&[], &[words, &["--lang", "ko", "--", "sh", "-c", program]].concat(), "")
}

#[test]
fn values_and_heaps_are_in_korean() {
    let (_, printed, _) = in_korean(&["solve", "domineering", "../..", "--cgt"], "");
    assert!(printed.contains("값: ±1. 먼저 두는 쪽이 이깁니다."), "{printed}");
    let (_, printed, _) = in_korean(&["solve", "domineering", "./.", "--cgt"], "");
    assert!(printed.contains("값: 1. 누가 먼저 두든 왼쪽 편이 이깁니다."), "{printed}");
    for words in [&["value", "domineering(2x3) - 1"][..], &["period", "8.", "--to", "300"], &["quotient", "0.75", "8"]]
    {
        let (code, printed, _) = in_korean(words, "");
        assert!(code == Some(0) && has_korean(&printed), "{words:?}: {printed}");
        assert!(printed.lines().all(|line| columns(line) <= 80), "{words:?}: {printed}");
    }
}

/// A build without a feature says in both languages what is missing, and how to get it.
#[cfg(not(any(feature = "cluster", feature = "parquet")))]
#[test]
fn missing_features_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (solution, output) = (path("t.strong"), path("output"));
    assert_eq!(balpan(&[], &["build", "tictactoe", "-o", &solution], "").0, Some(0));
    let commands = [
        (&["cluster", "local", "2", "tictactoe", "-o", &output][..], "cluster"),
        (&["build", "tictactoe", "-o", &output, "--process", "0"], "cluster"),
        (&["strong", "export", &solution, "-o", &output, "--format", "parquet"], "parquet"),
    ];
    for (words, feature) in commands {
        for (locale, korean) in [("C", false), ("ko_KR.UTF-8", true)] {
            let (code, printed, error) = balpan(&[("LC_ALL", locale)], words, "");
            assert_eq!((code, printed.as_str(), has_korean(&error)), (Some(2), "", korean), "{words:?}: {error}");
            assert!(error.contains("--features") && error.contains(feature), "{words:?}: {error}");
        }
    }
    assert!(!std::fs::exists(&output).unwrap());
}
