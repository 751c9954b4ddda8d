//! Runs under a supervisor leave no processes, whatever sessions and environments the programs create, and no descendant holds
//! up a run. This is an executable of its own, because it also serves as the supervisor.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[cfg(target_os = "linux")]
mod running;

fn main() {
    if balpan_contest::program::supervise() {
        return;
    }
    #[cfg(target_os = "linux")]
    linux::nothing_is_left();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::thread;
    use std::time::{Duration, Instant};

    use balpan::Watch;
    use balpan_contest::{End, Program, ProgramError};

    use crate::running::{LIMITS, shell, within};

    /// Scripts, their outputs and their ends. `STAY` stands for a long-running command that no other process runs.
    const HOSTILE: [(&str, &str, End); 19] = [
        ("cat >/dev/null; echo 7", "7\n", End::Exited(0)),
        ("echo 7; exit 139", "7\n", End::Exited(139)),
        ("kill -SEGV $$", "", End::Killed(11)),
        ("STAY & STAY & echo 7", "7\n", End::Exited(0)),
        ("env -i setsid STAY & echo 7", "7\n", End::Exited(0)),
        ("env -i setsid STAY </dev/null >/dev/null 2>&1 & echo 7", "7\n", End::Exited(0)),
        ("(env -i setsid sh -c 'STAY & STAY' &); sleep 0.02; echo 7", "7\n", End::Exited(0)),
        (
            "env -i setsid sh -c 'setsid sh -c \"setsid STAY & STAY\" & STAY' & sleep 0.02; echo 7",
            "7\n",
            End::Exited(0),
        ),
        ("env -i setsid STAY & STAY", "", End::TimeLimit),
        ("echo 7; exec <&- >&- 2>&-; STAY", "7\n", End::TimeLimit),
        ("trap '' TERM INT HUP; env -i setsid sh -c 'trap \"\" TERM INT HUP; STAY' & STAY", "", End::TimeLimit),
        ("kill -STOP $$", "", End::TimeLimit),
        ("STAY | cat", "", End::TimeLimit),
        ("i=0; while [ $i -lt 50 ]; do env -i setsid STAY & i=$((i + 1)); done; echo 7", "7\n", End::Exited(0)),
        ("env -i setsid sh -c 'while :; do sleep 0.01 & done; STAY' & sleep 0.05; echo 7", "7\n", End::Exited(0)),
        ("i=0; while [ $i -lt 50 ]; do (env -i setsid true &); i=$((i + 1)); done; echo 7", "7\n", End::Exited(0)),
        // The program stops its supervisor.
        ("kill -STOP $PPID; env -i setsid STAY & echo 7", "7\n", End::Exited(0)),
        ("echo 7; kill -TERM 0; STAY", "7\n", End::Killed(15)),
        ("printf 7", "7", End::Exited(0)),
    ];

    /// Counts the processes whose command lines contain `word`.
    fn count_processes(word: &str) -> usize {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let has = |words: Vec<u8>| String::from_utf8_lossy(&words).contains(word);
        processes.filter(|process| fs::read(process.path().join("cmdline")).is_ok_and(has)).count()
    }

    /// Returns the script with a command for `STAY` that is unique to the thread, and the unique part.
    fn script(text: &str, thread: usize) -> (String, String) {
        let number = format!("1000.{thread}{}", std::process::id());
        (text.replace("STAY", &format!("sleep {number}")), number)
    }

    fn run_all(thread: usize) {
        let input = b"a line of the input\n".repeat(100_000);
        for (text, output, end) in HOSTILE {
            let limits = if end == End::TimeLimit { within(1000) } else { LIMITS };
            let begin = Instant::now();
            let (script, number) = script(text, thread);
            let run = shell(&format!("supervised-{thread}"), &script, &input, limits);
            assert_eq!(
                (String::from_utf8_lossy(&run.output).as_ref(), run.end),
                (output, end),
                "{text}: {}",
                run.errors
            );
            // Some processes that are left behind hold the pipes; the run does not wait for them.
            assert!(begin.elapsed() < Duration::from_secs(15), "{text}: {:?}", begin.elapsed());
            assert_eq!(count_processes(&number), 0, "{text}");
        }
    }

    pub(crate) fn nothing_is_left() {
        run_all(1);
        // A supervisor is reused.
        let open = || fs::read_dir("/proc/self/fd").unwrap().count();
        let before = open();
        run_all(1);
        assert_eq!(open(), before);
        // Several runs at the same time do not disturb each other.
        thread::scope(|scope| {
            for thread in 1..=3 {
                scope.spawn(move || run_all(thread));
            }
        });

        // If a program kills its supervisor, its exit status is lost, and no process is left.
        for text in ["env -i setsid STAY & kill -9 $PPID; STAY", "kill -9 $PPID; env -i setsid STAY & echo 7"] {
            let (script, number) = script(text, 1);
            let words = ["sh", "-c", &script].map(Into::into).to_vec();
            let run = Program::new(words).run(b"", within(1000), &Watch::default());
            assert!(
                matches!(&run, Err(ProgramError::Lost { .. })) || run.is_ok_and(|run| run.end == End::TimeLimit),
                "{text}"
            );
            assert_eq!(count_processes(&number), 0, "{text}");
        }
        run_all(1);

        // A supervisor that is killed while idle is replaced.
        let own = format!("PPid:\t{}\n", std::process::id());
        for process in fs::read_dir("/proc").unwrap().flatten() {
            if fs::read_to_string(process.path().join("status")).is_ok_and(|status| status.contains(&own)) {
                let kill = std::process::Command::new("kill").arg("-9").arg(process.file_name()).status();
                assert!(kill.is_ok());
            }
        }
        thread::sleep(Duration::from_millis(500));
        run_all(1);

        let missing = Program::new(vec!["./no-such-program".into()]).run(b"", LIMITS, &Watch::default());
        assert!(
            matches!(missing, Err(ProgramError::Start { source, .. }) if source.kind() == std::io::ErrorKind::NotFound)
        );
        println!("programs under a supervisor leave nothing: ok");
    }
}
