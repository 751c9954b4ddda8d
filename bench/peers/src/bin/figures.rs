//! All figures, side by side in one run: `figures [--long] [--rounds N] [WORD...]`. Words
//! choose the rows whose names have one of them; `--long` adds rows of minutes.

use std::process::ExitCode;

use balpan_peers::rows::{Row, rows};

const USAGE: &str = "usage: figures [--list] [--long] [--rounds N] [WORD...]";

fn main() -> ExitCode {
    let (mut list, mut long, mut rounds, mut wanted) = (false, false, 3, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => list = true,
            "--long" => long = true,
            "--rounds" => match words.next().and_then(|number| number.parse().ok()) {
                Some(number @ 1..) => rounds = number,
                _ => return usage(),
            },
            word if word.starts_with('-') => return usage(),
            word => wanted.push(word.to_lowercase()),
        }
    }
    let is_wanted = |row: &Row| {
        let name = format!("{} {}", row.work, row.mark).to_lowercase();
        (long || !row.long) && (wanted.is_empty() || wanted.iter().any(|word| name.contains(word)))
    };
    let mut all_agree = true;
    println!("| work | measured against | its seconds | balpan's | ratio | answers agree |");
    println!("|---|---|---|---|---|---|");
    for row in rows().iter().filter(|row| is_wanted(row)) {
        if list {
            println!("| {} | {} |", row.work, row.mark);
            continue;
        }
        let found = (row.run)(rounds);
        let (mark, ratio) = match found.mark {
            Some(mark) => (seconds(mark), format!("{:.2}", mark / found.ours)),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let agree = if found.agree { "yes" } else { "NO" };
        println!("| {} | {} | {mark} | {} | {ratio} | {agree} |", row.work, row.mark, seconds(found.ours));
        all_agree &= found.agree;
    }
    if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// To three digits or so.
fn seconds(seconds: f64) -> String {
    let digits = match seconds {
        10.0.. => 1,
        1.0.. => 2,
        0.1.. => 3,
        0.01.. => 4,
        _ => 6,
    };
    format!("{seconds:.digits$}")
}
