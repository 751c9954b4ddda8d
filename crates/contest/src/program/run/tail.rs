//! The end of a program's standard error.

/// The number of bytes kept.
const MAX_BYTES: usize = 1 << 13;

#[derive(Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    /// Whether earlier bytes were dropped.
    is_cut: bool,
}

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > MAX_BYTES {
            self.bytes.drain(..self.bytes.len() - MAX_BYTES);
            self.is_cut = true;
        }
    }

    /// Returns the whole lines; everything, if there is no line end.
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
    fn lines_begin_at_a_line_start() {
        let mut tail = Tail::default();
        tail.push(b"first\n");
        assert_eq!(tail.lines(), "first\n");
        for line in 0..10_000 {
            tail.push(format!("{line}\n").as_bytes());
            assert!(tail.bytes.len() <= MAX_BYTES);
        }
        let lines = tail.lines();
        let first = 10_000 - lines.lines().count();
        assert!(lines.lines().map(str::to_owned).eq((first..10_000).map(|line| line.to_string())));
        tail.push(&[b'x'; 2 * MAX_BYTES]);
        assert_eq!(tail.lines(), "x".repeat(MAX_BYTES));
    }
}
