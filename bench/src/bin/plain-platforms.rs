//! The plain solution of Disappearing platforms as a program, from standard input to standard output.

use std::io::{BufWriter, stdin, stdout};

fn main() -> std::io::Result<()> {
    balpan_bench::plain_platforms::judge(stdin().lock(), BufWriter::new(stdout().lock()))
}
