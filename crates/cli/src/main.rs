//! The `balpan` command.

fn main() -> std::process::ExitCode {
    balpan_cli::Command::new().run()
}
