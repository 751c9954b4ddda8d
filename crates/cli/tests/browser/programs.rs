//! The programs that a test starts: each ends when it is dropped, however the test ends.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A program that runs, and the address where it listens.
pub(crate) struct Program {
    child: Child,
    pub(crate) url: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// `balpan serve`.
    pub(crate) fn server(options: &[&str]) -> Self {
        let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
        balpan.args(["serve", "--port", "0"]).args(options);
        Self::start(balpan, |line| Some(line.strip_prefix("balpan explorer: ")?.trim_end_matches('/').to_owned()))
    }

    /// A host of static files.
    pub(crate) fn host(folder: &str) -> Self {
        let mut host = Command::new("python3");
        host.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]);
        Self::start(host, |line| Some(line.split_once('(')?.1.split_once("/)")?.0.to_owned()))
    }

    pub(crate) fn chromedriver() -> Self {
        let mut driver = Command::new("chromedriver");
        driver.arg("--port=0");
        Self::start(driver, |line| {
            let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(format!("http://127.0.0.1:{}", port.trim_end_matches('.')))
        })
    }

    /// Starts it, and waits for the line that tells where it listens.
    fn start(mut command: Command, url: impl Fn(&str) -> Option<String>) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut program = Self { child, url: String::new() };
        program.url = lines.by_ref().find_map(|line| url(&line.unwrap())).unwrap();
        // What it says later is read on, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        program
    }
}

/// Where the first of these programs is that is on the path.
pub(crate) fn found(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}
