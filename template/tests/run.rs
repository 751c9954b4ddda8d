//! The game at some doors.

use std::process::Command;

fn printed(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mygame"));
    let output = command.args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_command_knows_the_game() {
    assert!(printed(&["games"]).contains("mygame"));
    assert!(printed(&["solve", "mygame"]).contains("The first player wins in 5 plies."));
    assert!(printed(&["review", "mygame", "3 0 6"]).contains("better:"));
}
