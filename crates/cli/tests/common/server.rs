//! The explorer as a process, for tests of it.

#![allow(dead_code, reason = "not every test needs all of it")]
#![allow(unreachable_pub, reason = "it is a module of tests")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server at a port that was free.
pub struct Server {
    pub process: Child,
    pub port: u16,
}

pub fn balpan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Server {
    pub fn start(args: &[&str]) -> Self {
        let mut process = balpan(&[&["serve", "--port", "0"], args].concat()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.strip_prefix("balpan explorer: http://127.0.0.1:").unwrap().strip_suffix("/\n").unwrap();
        Self { port: port.parse().unwrap(), process }
    }

    /// Returns the whole response to a request for `path` of `host`.
    pub fn get(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
