//! The resident memory of the process.

/// Memory that the command needs besides tables: data, stacks, texts.
const OVERHEAD_BYTES: usize = 36 << 20;

/// Whether the process takes more than six fifths of `memory` bytes and the overhead. Solvers keep to their memory
/// themselves; this catches the rest.
pub(super) fn exceeds(memory: usize) -> bool {
    resident_bytes().is_some_and(|bytes| bytes > memory.saturating_add(memory / 5).saturating_add(OVERHEAD_BYTES))
}

/// Returns the bytes of anonymous memory of the process; pages of files, which the system can drop, are not counted.
/// `None` on systems other than Linux.
fn resident_bytes() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn resident_memory_grows_with_an_allocation() {
        let before = resident_bytes().unwrap();
        assert!(before > 1 << 16, "{before}");
        let block = vec![1_u8; 64 << 20];
        assert!(std::hint::black_box(&block).len() == 64 << 20 && resident_bytes().unwrap() > before + (60 << 20));
        assert!(exceeds(1 << 20) && !exceeds(usize::MAX));
    }
}
