//! `balpan stress`: every kind of fault has its own verdict, and the smallest case.
//!
//! The programs under test are the command's own judges, with their input or output
//! changed by the shell.
#![cfg(unix)]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

const BALPAN: &str = env!("CARGO_BIN_EXE_balpan");

/// Runs `balpan stress JUDGE OPTIONS -- sh -c PROGRAM`; `$judge` answers correctly.
fn stress(judge: &str, options: &[&str], program: &str) -> Output {
    let mut command = Command::new(BALPAN);
    command.args(["stress", judge]).args(options).args(["--", "sh", "-c", program]);
    command
        .env("judge", format!("{BALPAN} judge {judge}"))
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    command.output().unwrap()
}

fn report(judge: &str, options: &[&str], program: &str) -> (Option<i32>, Value) {
    let output = stress(judge, &[options, &["--json"]].concat(), program);
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{e}: {printed} {errors}")))
}

/// Returns the reported difference of a wrong program.
fn difference(judge: &str, options: &[&str], program: &str) -> Value {
    let (code, report) = report(judge, options, program);
    assert_eq!((code, &report["right"]), (Some(1), &Value::Bool(false)), "{report}");
    report["difference"].clone()
}

#[test]
fn a_right_program_passes() {
    for judge in ["platforms", "blockgame", "tictactoe"] {
        let (code, report) = report(judge, &["--cases", "3000", "--time", "300"], "$judge");
        assert_eq!((code, &report["right"], &report["cases"]), (Some(0), &true.into(), &3000.into()), "{report}");
        assert!(report["difference"].is_null());
    }
    let output = stress("tictactoe", &["--cases", "6000", "--time", "300"], "$judge");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("that a case may take"), "{printed}");
    assert_eq!(printed.lines().next().unwrap(), "No difference in 6,000 cases, every one that there is among them.");
}

#[test]
fn a_wrong_answer_is_shrunk_to_the_smallest_case() {
    // Wrong on boards with a square of four tiles.
    let difference = difference("platforms", &[], "$judge | sed 's/^3$/4/'");
    assert_eq!(difference["fault"], "wrong");
    assert_eq!((&difference["right"], &difference["answer"]), (&"3".into(), &"4".into()));
    // A game of three plies needs four tiles.
    assert_eq!((&difference["cells"], &difference["smallest"]), (&4.into(), &true.into()));
    assert_eq!(difference["board_cells"], 4);
    assert_eq!(difference["input"].as_str().unwrap().lines().count(), 1);
    assert_eq!(difference["line"].as_array().unwrap().len(), 3);

    let difference = self::difference("tictactoe", &[], "$judge | sed 's/TIE/x/'");
    assert_eq!((&difference["cells"], &difference["smaller_cases"]), (&0.into(), &0.into()));
    let difference = self::difference("blockgame", &[], "$judge | sed 's/WINNING/LOSING/'");
    // A domino fits, and no smaller board is won.
    assert_eq!((&difference["cells"], &difference["smaller_cases"]), (&2.into(), &1.into()));
}

#[test]
fn every_other_fault_has_a_name() {
    let limit = ["--limit", "0.5"];
    for (program, fault, told) in [
        ("$judge | sed s/WINNING/winning/", "garbage", "`winning`, which is not an answer"),
        ("$judge | tr '\\n' '\\000'", "garbage", "which is not an answer"),
        ("head -c 1000 /dev/urandom", "garbage", "which is not an answer"),
        ("$judge | sed 1d", "too_few", "0 answers to 1 case"),
        ("true", "too_few", "0 answers to 1 case"),
        ("exec <&-", "too_few", "0 answers to 1 case"),
        ("$judge | sed p", "too_many", "2 answers to 1 case"),
        ("yes WINNING", "output_limit", "far more output"),
        ("$judge; exit 139", "exit_code", "exit code 139"),
        ("$judge; kill -SEGV $$", "signal", "memory fault"),
        ("sleep 1000", "time_limit", "no end after 0.5 s"),
        ("sleep 1000 & sleep 1001 & wait", "time_limit", "no end after 0.5 s"),
    ] {
        let difference = difference("blockgame", &limit, program);
        assert_eq!(difference["fault"], fault, "{program}: {difference}");
        assert!(difference["told"].as_str().unwrap().contains(told), "{program}: {difference}");
    }
}

#[test]
fn a_case_that_hangs_among_many_is_found() {
    let program = "while read line; do case $line in *'[[1,1,1]]'*) sleep 1000;; esac; echo \"$line\" | $judge; done";
    let difference = difference("platforms", &["--limit", "1"], program);
    assert_eq!((&difference["fault"], &difference["cells"]), (&"time_limit".into(), &3.into()), "{difference}");
    assert!(difference["input"].as_str().unwrap().contains("[[1,1,1]]"));
}

#[test]
fn state_kept_between_cases_is_found() {
    // The third case of a run and those after it are wrong, if they are lost.
    let difference = difference("blockgame", &[], "$judge | awk 'NR > 2 && /LOSING/ { print \"WINNING\"; next } 1'");
    assert_eq!(difference["fault"], "wrong", "{difference}");
    let before = difference["before"].as_str().unwrap();
    assert!(before.starts_with("2\n"), "two cases before it matter, no more: {before}");
    let output = stress("blockgame", &[], "$judge | awk 'NR > 2 && /LOSING/ { print \"WINNING\"; next } 1'");
    let printed = String::from_utf8(output.stdout).unwrap();
    let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("after 2 others in the same run"), "{printed}");
}

#[test]
fn an_input_that_is_not_read_to_its_end_is_found() {
    let difference = difference("platforms", &[], "head -n 1 | $judge");
    assert_eq!((&difference["fault"], &difference["told"]), (&"too_few".into(), &"1 answer to 2 cases".into()));
    assert_eq!(difference["before"].as_str().unwrap().lines().count(), 1, "{difference}");
}

#[test]
fn a_hang_on_no_case_alone_is_found() {
    let program = "input=$(cat); [ $(echo \"$input\" | wc -l) -gt 2 ] && sleep 1000; echo \"$input\" | $judge";
    let difference = difference("platforms", &["--limit", "1"], program);
    assert_eq!(difference["fault"], "time_limit", "{difference}");
    let others = difference["before"].as_str().unwrap().lines().count();
    assert!((2..=3).contains(&others), "no halves hang: {difference}");
}

#[test]
fn other_answers_another_time_are_found() {
    let place = tempfile::tempdir().unwrap();
    // Wrong at every second run.
    let mark = place.path().join("mark");
    let program =
        format!("m='{}'; if [ -e $m ]; then rm $m; $judge; else touch $m; $judge | sed s/x/o/; fi", mark.display());
    let difference = difference("tictactoe", &["--threads", "1"], &program);
    assert_eq!(difference["fault"], "unsteady", "{difference}");
}

#[test]
fn a_crash_that_comes_once_is_reported() {
    let place = tempfile::tempdir().unwrap();
    let mark = place.path().join("mark");
    // Two lines or more: a batch whose halves pass.
    let crash = format!("input=$(cat); m='{}'; [ $(echo \"$input\" | wc -l) -gt 1 ] && [ ! -e $m ]", mark.display());
    let program = format!("{crash} && {{ touch $m; echo out of luck >&2; exit 3; }}; echo \"$input\" | $judge");
    let difference = difference("platforms", &["--threads", "1"], &program);
    assert_eq!((&difference["fault"], &difference["exit_code"]), (&"unsteady".into(), &3.into()), "{difference}");
    assert_eq!(difference["told"], "ended with exit code 3 (once; right another time)");
    assert_eq!(difference["errors"].as_str().map(str::trim), Some("out of luck"));
}

#[test]
fn small_problems_end_when_all_cases_are_tried() {
    let (code, report) = report("tictactoe", &["--time", "600"], "$judge");
    assert_eq!((code, &report["right"], &report["exhausted_below"]), (Some(0), &true.into(), &10.into()), "{report}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_program_behind() {
    use std::{fs, thread, time::Duration};

    for signal in ["-TERM", "-HUP", "-INT"] {
        let mark = format!("BALPAN_TEST=signal{signal}");
        let left = || {
            let carries = |environment: Vec<u8>| environment.split(|&byte| byte == 0).any(|one| one == mark.as_bytes());
            let processes = fs::read_dir("/proc").unwrap().flatten();
            processes.filter(|process| fs::read(process.path().join("environ")).is_ok_and(carries)).count()
        };
        let mut balpan = Command::new(BALPAN);
        balpan.args(["stress", "tictactoe", "--", "env", &mark, "sh", "-c", "sleep 1000 & sleep 1001"]);
        let mut balpan = balpan.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while left() == 0 {
            thread::sleep(Duration::from_millis(10));
        }
        let pid = balpan.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(balpan.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(left(), 0, "{signal}");
    }
}

#[test]
fn standard_error_is_shown_and_harmless() {
    let output = stress("tictactoe", &[], "printf 'out of \\033[31mluck\\n' >&2; exit 7");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("Crashed."), "{printed}");
    assert!(printed.contains("  yours  ended with exit code 7\n"), "{printed}");
    assert!(printed.contains("  out of ?[31mluck\n"), "{printed}");
}

#[test]
fn the_same_seed_tries_the_same_cases() {
    let run = |seed, threads| {
        let options = ["--cases", "20000", "--seed", seed, "--threads", threads];
        // Wrong only on boards that come at random.
        report("platforms", &options, "$judge | sed 's/^11$/12/'").1["difference"]["input"].clone()
    };
    assert_eq!(run("5", "1"), run("5", "2"));
}

#[test]
fn bad_input_is_refused() {
    for (words, told) in [
        (&["stress", "platforms", "--", "./no-such-program"][..], "`./no-such-program` cannot be started"),
        (&["stress", "platforms", "--solution", "no-such-file.py"], "no-such-file.py"),
        (&["stress", "blockgame", "--solution", "yours.py"], "asks for a program, not for a function"),
        (&["stress", "platforms"], "--solution"),
        (&["stress", "chess", "--", "true"], "chess"),
        (&["stress", "platforms", "--time", "0", "--", "true"], "expected a time such as"),
    ] {
        let output = Command::new(BALPAN).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert!(errors.contains(told), "{words:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
}

/// Returns the report on a slow program, and the time that `stress` took.
fn timed(options: &[&str], program: &str) -> (Option<i32>, Value, f64) {
    let begin = std::time::Instant::now();
    let (code, report) = report("blockgame", options, program);
    (code, report, begin.elapsed().as_secs_f64())
}

#[test]
fn a_slow_program_is_not_right() {
    // One case in a hundred: every case of five free cells in a row.
    let program = "input=$(cat); case $input in *.....*) sleep 100;; esac; echo \"$input\" | $judge";
    let (code, report, seconds) = timed(&["--limit", "1", "--time", "20"], program);
    assert_eq!((code, &report["right"], &report["verdict"]), (Some(1), &false.into(), &"slow".into()), "{report}");
    assert_eq!((&report["difference"]["fault"], &report["limit_seconds"]), (&"time_limit".into(), &1.0.into()));
    assert!(report["difference"]["input"].as_str().unwrap().contains("....."), "{report}");
    assert!(report["slowest_seconds"].as_f64().unwrap() >= 1.0, "{report}");
    assert!(report["paces"].as_array().unwrap().iter().any(|pace| pace["stopped"] == true), "{report}");
    assert!(seconds < 21.0, "{seconds}");
    let output = stress("blockgame", &["--limit", "1", "--time", "20"], program);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("Too slow.\n"), "{printed}");
    assert!(printed.contains("> 1 s  ####"), "{printed}");
}

#[test]
fn an_undecided_program_is_not_right() {
    // Too little time to reach the limit.
    let (code, report, seconds) = timed(&["--limit", "10", "--time", "2"], "exec sleep 100");
    assert_eq!((code, &report["right"]), (Some(1), &false.into()), "{report}");
    assert_eq!((&report["verdict"], &report["difference"]), (&"undecided".into(), &Value::Null), "{report}");
    assert_eq!(report["undecided"], "too_slow");
    assert!(seconds < 3.0, "{seconds}");
}

#[test]
fn a_program_that_takes_nine_tenths_of_the_limit_is_right() {
    // Only the free board takes that long. It is tried among those from small to large.
    let program = "input=$(cat); [ $(echo \"$input\" | grep -c '^[.][.][.][.][.]$') -ge 5 ] && sleep 3.6; echo \"$input\" | $judge";
    let options = ["--limit", "4", "--cases", "300", "--batch", "1", "--time", "120"];
    let (code, report, _) = timed(&options, program);
    assert_eq!((code, &report["right"], &report["verdict"]), (Some(0), &true.into(), &"right".into()), "{report}");
    assert!(report["slowest_seconds"].as_f64().unwrap() > 3.0, "{report}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_takes_too_much_memory_is_not_right() {
    // The shell's own variable grows, by doubling.
    let program = "x=0123456789abcdef; while :; do x=$x$x; done";
    let options = ["--memory-limit", "64M", "--limit", "20", "--time", "60"];
    let (code, report, _) = timed(&options, program);
    assert_eq!((code, &report["right"], &report["verdict"]), (Some(1), &false.into(), &"memory".into()), "{report}");
    assert_eq!(report["difference"]["fault"], "memory_limit");
    assert!(report["memory_bytes"].as_u64().unwrap() > 64 << 20, "{report}");
}

#[test]
fn what_to_do_next_can_be_pasted() {
    let difference = difference("platforms", &[], "$judge | sed 's/^3$/4/'");
    let commands: Vec<_> = difference["commands"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(commands.len(), 3, "{difference}");
    for command in &commands[..2] {
        let command = command.replacen("balpan", BALPAN, 1);
        let output =
            Command::new("sh").args(["-c", &command]).env("NO_COLOR", "1").env("LC_ALL", "C").output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8(output.stdout).unwrap().contains("3 plies") || command.contains("tree"));
    }
    assert!(difference["page"].as_str().unwrap().starts_with("/play/platforms?at="), "{difference}");
}

#[test]
fn a_source_file_is_compiled_and_run() {
    let place = tempfile::tempdir().unwrap();
    let run = |file: &str, text: &str, options: &[&str]| {
        let path = place.path().join(file);
        std::fs::write(&path, text).unwrap();
        let mut command = Command::new(BALPAN);
        command.args(["stress", "tictactoe"]).args(options).arg("--").arg(path).env("NO_COLOR", "1").env("LC_ALL", "C");
        let output = command.output().unwrap();
        let told = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(told).unwrap())
    };
    let few = ["--cases", "50"];
    let mut ran = 0;
    for (tool, file, text) in [
        ("g++", "x.cpp", "#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); while (n--) puts(\"x\"); }\n"),
        ("cc", "x.c", "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); while (n--) puts(\"x\"); }\n"),
        ("python3", "x.py", "print(\"x\\n\" * int(input()))\n"),
        (
            "node",
            "x.js",
            "const n = +require('fs').readFileSync(0, 'utf8').split('\\n')[0]; console.log('x\\n'.repeat(n));\n",
        ),
        (
            "javac",
            "x.java",
            "public class Any { public static void main(String[] a) { int n = new java.util.Scanner(System.in).nextInt(); \
             while (n-- > 0) System.out.println(\"x\"); } }\n",
        ),
        (
            "rustc",
            "x.rs",
            "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); \
             for _ in 0..s.trim().parse::<u32>().unwrap() { println!(\"x\"); } }\n",
        ),
    ] {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("{file} left out: no {tool}");
            continue;
        }
        let (code, told) = run(file, text, &few);
        assert_eq!(code, Some(1), "{file}: {told}");
        assert!(told.starts_with("Wrong answer."), "{file}: {told}");
        ran += 1;
    }
    assert!(ran > 0 || std::env::var_os("BALPAN_PROGRAMS").is_none());
    if Command::new("g++").arg("--version").output().is_ok() {
        let (code, told) = run("broken.cpp", "int main( {\n", &[]);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("does not compile") && told.contains("broken.cpp:1"), "{told}");
    }
    let (code, told) = run("noexec", "echo x\n", &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("not executable") && told.contains("chmod +x"), "{told}");
}

/// Returns the processes other than `balpan` whose command line has this word.
#[cfg(target_os = "linux")]
fn alive(word: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let has = |words: Vec<u8>| {
        let words = String::from_utf8_lossy(&words).into_owned();
        words.contains(word) && !words.contains("stress\0")
    };
    processes.filter(|process| std::fs::read(process.path().join("cmdline")).is_ok_and(has)).count()
}

/// Hostile actions of a program, before or instead of answering, and the possible verdicts. `STAY`
/// is a command that keeps running.
#[cfg(target_os = "linux")]
const HOSTILE: [(&str, &[&str]); 14] = [
    ("env -i setsid STAY & $judge", &["right"]),
    ("env -i setsid STAY & $judge | sed 's/WINNING/LOSING/'", &["wrong"]),
    ("env -i setsid sh -c 'setsid STAY & STAY' </dev/null >/dev/null 2>&1 & $judge", &["right"]),
    ("i=0; while [ $i -lt 50 ]; do env -i setsid STAY & i=$((i + 1)); done; $judge", &["right"]),
    ("env -i setsid sh -c 'while :; do sleep 0.01 & done; STAY' & $judge", &["right"]),
    ("env -i setsid sh -c 'while :; do echo WINNING; done; STAY' & exec >&-; $judge", &["wrong"]),
    ("trap '' TERM INT HUP; env -i setsid STAY & STAY", &["slow"]),
    ("exec >&-; env -i setsid STAY & STAY", &["slow"]),
    ("env -i setsid STAY & exec <&-; STAY", &["slow"]),
    ("env -i setsid STAY & while :; do echo WINNING; done", &["wrong"]),
    // On a busy machine, the program may get less time than the limit.
    ("env -i setsid STAY & while :; do echo WINNING >&2; done", &["slow", "undecided"]),
    ("env -i setsid STAY & kill -SEGV $$", &["wrong"]),
    ("kill -STOP $PPID; env -i setsid STAY & $judge", &["right"]),
    // A program that kills its supervisor has no verdict.
    ("env -i setsid STAY & kill -9 $PPID; $judge", &["wrong", "slow", "undecided", ""]),
];

/// Tests a hostile program, and checks that nothing of it is left.
#[cfg(target_os = "linux")]
fn leaves_nothing((text, verdicts): (&str, &[&str]), options: &[&str]) {
    let number = format!("1000.0{}", std::process::id());
    let script = text.replace("STAY", &format!("sleep {number}"));
    let output = stress("blockgame", &[&["--limit", "2", "--time", "120", "--json"], options].concat(), &script);
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let verdict = serde_json::from_str::<Value>(&printed)
        .map_or(String::new(), |report| report["verdict"].as_str().unwrap().into());
    assert!(verdicts.contains(&verdict.as_str()), "{text}: {printed}{errors}");
    let code = match verdict.as_str() {
        "right" => 0,
        "" => 2,
        _ => 1,
    };
    assert_eq!(output.status.code(), Some(code), "{text}: {printed}{errors}");
    assert_eq!(alive(&number), 0, "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_of_a_hostile_program_is_left() {
    for hostile in [HOSTILE[0], HOSTILE[1], HOSTILE[6], HOSTILE[13]] {
        leaves_nothing(hostile, &["--cases", "20"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes"]
fn nothing_of_any_hostile_program_is_left() {
    for threads in ["1", "4"] {
        for hostile in HOSTILE {
            leaves_nothing(hostile, &["--cases", "40", "--threads", threads]);
        }
    }
}

/// An uncatchable signal ends the programs as well, in any session and environment.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_when_it_is_killed() {
    use std::time::{Duration, Instant};

    let number = format!("1000.1{}", std::process::id());
    let script = "i=0; while [ $i -lt 20 ]; do env -i setsid sleep N & i=$((i + 1)); done; (sleep N &); sleep N";
    for threads in ["1", "3"] {
        let mut balpan = Command::new(BALPAN);
        balpan.args(["stress", "tictactoe", "--threads", threads, "--", "sh", "-c", &script.replace('N', &number)]);
        let mut balpan = balpan.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let wait_until = |is_done: &dyn Fn(usize) -> bool| {
            let begin = Instant::now();
            while !is_done(alive(&number)) {
                assert!(begin.elapsed() < Duration::from_secs(60), "{} are there", alive(&number));
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        wait_until(&|alive| alive >= 20);
        balpan.kill().unwrap();
        balpan.wait().unwrap();
        wait_until(&|alive| alive == 0);
    }
}

#[test]
fn too_few_cases_are_no_proof() {
    let slow = "sleep 0.3; $judge";
    for (options, asked) in [(&["--cases", "3000"][..], 3000), (&[], 100)] {
        let options = [options, &["--time", "6", "--batch", "1", "--threads", "1"]].concat();
        let (code, report) = report("blockgame", &options, slow);
        assert_eq!(
            (code, &report["right"], &report["verdict"]),
            (Some(1), &false.into(), &"undecided".into()),
            "{report}"
        );
        assert_eq!((&report["undecided"], &report["difference"]), (&"too_few_cases".into(), &Value::Null), "{report}");
        let [tried, missing] = ["cases", "cases_missing"].map(|name| report[name].as_u64().unwrap());
        assert_eq!(tried + missing, asked, "{report}");
        let told = |lang| {
            let output = stress("blockgame", &[&options[..], &["--lang", lang]].concat(), slow);
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let english = told("en");
        assert!(english.starts_with("Undecided. ") && english.contains("allow more with --time"), "{english}");
        let korean = told("ko");
        assert!(korean.starts_with("판정하지 못했습니다. ") && korean.contains("--time으로"), "{korean}");
    }
    let (_, report) = report("tictactoe", &["--cases", "50", "--time", "300"], "$judge");
    assert_eq!((&report["undecided"], &report["cases_missing"]), (&Value::Null, &0.into()), "{report}");
}
