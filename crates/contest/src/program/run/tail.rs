//! The last bytes that a program writes to standard error.

/// Bytes that are kept.
const BYTES: usize = 1 << 13;

#[derive(Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    /// Whether any were forgotten.
    is_cut: bool,
}

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > BYTES {
            self.bytes.drain(..self.bytes.len() - BYTES);
            self.is_cut = true;
        }
    }

    /// The whole lines among it; or all of it, if there is no end of a line.
    pub(super) fn lines(&self) -> String {
        let begin = match self.bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if self.is_cut => end + 1,
            _ => 0,
        };
        String::from_utf8_lossy(&self.bytes[begin..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_at_the_end() {
        let mut tail = Tail::default();
        tail.push(b"first\n");
        assert_eq!(tail.lines(), "first\n");
        for line in 0..10_000 {
            tail.push(format!("{line}\n").as_bytes());
            assert!(tail.bytes.len() <= BYTES);
        }
        let lines = tail.lines();
        let first = 10_000 - lines.lines().count();
        assert!(lines.lines().map(str::to_owned).eq((first..10_000).map(|line| line.to_string())));
        tail.push(&[b'x'; 2 * BYTES]);
        assert_eq!(tail.lines(), "x".repeat(BYTES));
    }
}
