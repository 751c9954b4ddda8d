//! The processes of a build, and where they listen.

use std::net::{SocketAddr, ToSocketAddrs};

/// The default first port of processes on one machine.
pub const DEFAULT_FIRST_PORT: u16 = 27_101;

/// The largest number of processes.
pub const MAX_PROCESSES: usize = 1024;

/// An error in a list of hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostsError {
    /// A line is not an address.
    #[error("line {line}: found `{found}`, which is not an address")]
    NoAddress {
        /// The line, from 1.
        line: usize,
        /// The line's text.
        found: String,
    },
    /// An address is there twice.
    #[error("line {line}: {found} is there twice")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The address.
        found: String,
    },
    /// The list is empty or too long.
    #[error("{0} hosts: from 1 to {MAX_PROCESSES} are possible")]
    Number(usize),
}

/// The addresses at which the processes of a build listen, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Processes on this machine, at consecutive ports.
    #[must_use]
    pub fn local(processes: usize, first_port: u16) -> Self {
        Self((0..processes).map(|process| format!("127.0.0.1:{}", usize::from(first_port) + process)).collect())
    }

    /// Reads a list with an address and port a line: `10.0.0.1:27101`, `node1:27101` or
    /// `[fd00::1]:27101`. Empty lines, and what follows a `#`, are ignored.
    ///
    /// # Errors
    /// If a line is something else, an address is there twice, or the number of addresses is out of
    /// range.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        let mut hosts: Vec<String> = Vec::new();
        for (line, found) in (1..).zip(text.lines()) {
            let found = found.split('#').next().unwrap_or_default().trim();
            if found.is_empty() {
                continue;
            }
            let port =
                found.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains(char::is_whitespace));
            if port.is_none_or(|(_, port)| !port.parse().is_ok_and(|port: u16| port > 0)) {
                return Err(HostsError::NoAddress { line, found: found.to_owned() });
            }
            if hosts.iter().any(|host| host == found) {
                return Err(HostsError::Twice { line, found: found.to_owned() });
            }
            hosts.push(found.to_owned());
        }
        if hosts.is_empty() || hosts.len() > MAX_PROCESSES {
            return Err(HostsError::Number(hosts.len()));
        }
        Ok(Self(hosts))
    }

    /// The number of processes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none, which is never so in a list that was [read](Self::parse).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The address of a process.
    #[must_use]
    pub fn at(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// Whether all addresses are loopback ones.
    #[must_use]
    pub fn are_loopback(&self) -> bool {
        let is_loopback = |host: &String| {
            let found = host.to_socket_addrs().map(Iterator::collect::<Vec<SocketAddr>>);
            found.is_ok_and(|found| !found.is_empty() && found.iter().all(|at| at.ip().is_loopback()))
        };
        self.0.iter().all(is_loopback)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn lists_are_read_and_what_is_wrong_with_them_is_told() {
        let hosts = Hosts::parse("# three\n10.0.0.1:1\n node2:2 # the second\n\n[fd00::1]:3\n").unwrap();
        assert_eq!((hosts.len(), hosts.at(1), hosts.at(2)), (3, "node2:2", "[fd00::1]:3"));
        assert!(Hosts::local(2, DEFAULT_FIRST_PORT).are_loopback());
        assert!(!Hosts::parse("10.0.0.1:1").unwrap().are_loopback());
        for (text, line) in [("a:1\nb", 2), ("a:70000", 1), (":7", 1), ("a b:7", 1), ("a:0", 1)] {
            assert!(matches!(Hosts::parse(text), Err(HostsError::NoAddress { line: at, .. }) if at == line), "{text}");
        }
        assert_eq!(Hosts::parse("a:1\na:1"), Err(HostsError::Twice { line: 2, found: "a:1".to_owned() }));
        assert_eq!(Hosts::parse("#"), Err(HostsError::Number(0)));
    }
}
