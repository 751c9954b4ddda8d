//! Fuzz targets: each takes any bytes, reads them as one kind of input, and panics if what was read breaks a law.

mod games;
mod inputs;
mod judges;

use std::fs;
use std::process::ExitCode;

pub use games::{language_file, lines_position, placement_position, record, rules_file, walkers_position};
pub use inputs::{certificate, strong};
pub use judges::{judge_blockgame, judge_platforms, judge_tictactoe};

/// A fuzz target.
pub type Target = fn(&[u8]);

/// Makes a program of a target: a fuzzer under `cargo fuzz`, and otherwise one that runs the target on the files that are
/// named on the command line.
#[macro_export]
macro_rules! target {
    ($target:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$target(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay($crate::$target)
        }
    };
}

/// Runs `target` on the files that the command line names. Returns 2 if one cannot be read.
#[must_use]
pub fn replay(target: Target) -> ExitCode {
    for path in std::env::args_os().skip(1) {
        match fs::read(&path) {
            Ok(data) => target(&data),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs, thread};

    use balpan::SplitMix;

    use super::*;

    /// Bytes that mean something to at least one of the readers.
    const TOKENS: [&[u8]; 12] =
        [b"\n", b" ", b"0", b"-1", b"18446744073709551616", b"#", b".", b"=", b"[", b"\"", b"\xff", b"\0\0\0\0"];

    /// Prints the input if the target panics.
    struct Input<'a>(&'a str, &'a [u8]);

    impl Drop for Input<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                eprintln!("the input of {}: {}", self.0, self.1.escape_ascii());
            }
        }
    }

    /// Runs a target on its seeds and on `BALPAN_INPUTS` (by default 3,000) random changes of them.
    fn run(name: &str, target: Target) {
        let mut paths: Vec<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name))
            .expect("a folder of seeds")
            .map(|entry| entry.expect("a seed").path())
            .collect();
        paths.sort();
        let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).expect("a seed")).collect();
        let checked = |data: &[u8]| {
            let _input = Input(name, data);
            target(data);
        };
        seeds.iter().for_each(|seed| checked(seed));
        let inputs = env::var("BALPAN_INPUTS").map_or(3000, |text| text.parse().expect("a number of inputs"));
        let mut random = SplitMix(1);
        for _ in 0..inputs {
            let mut data = seeds[random.below(seeds.len())].clone();
            for _ in 0..=random.below(4) {
                change(&mut data, &seeds, &mut random);
            }
            checked(&data);
        }
    }

    /// Changes `data` in one place.
    fn change(data: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut SplitMix) {
        let from = random.below(data.len() + 1);
        let to = from + random.below((data.len() - from).min(16) + 1);
        match random.below(5) {
            0 if from < data.len() => data[from] ^= 1 << random.below(8),
            1 => drop(data.drain(from..to)),
            2 => data.extend_from_within(from..to),
            3 => drop(data.splice(from..to, TOKENS[random.below(TOKENS.len())].iter().copied())),
            _ => {
                let other = &seeds[random.below(seeds.len())];
                let start = random.below(other.len() + 1);
                let end = start + random.below((other.len() - start).min(64) + 1);
                drop(data.splice(from..to, other[start..end].iter().copied()));
            }
        }
    }

    macro_rules! tests {
        ($($target:ident)*) => {$(
            #[test]
            fn $target() {
                run(stringify!($target), super::$target);
            }
        )*};
    }

    tests! {
        certificate judge_blockgame judge_platforms judge_tictactoe language_file lines_position placement_position record
        rules_file strong walkers_position
    }
}
