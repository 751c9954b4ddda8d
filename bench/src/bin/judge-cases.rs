//! Prints random input for a judge: `judge-cases blockgame 10000`.

use std::process::ExitCode;

use balpan_bench::cases;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let judge = words.next();
    let count = words.next().and_then(|count| count.parse().ok());
    let text = match (judge.as_deref(), count) {
        (Some("blockgame"), Some(count)) => cases::blockgame(count),
        (Some("platforms"), Some(count)) => cases::platforms(count),
        _ => {
            eprintln!("usage: judge-cases blockgame|platforms COUNT");
            return ExitCode::from(2);
        }
    };
    print!("{text}");
    ExitCode::SUCCESS
}
