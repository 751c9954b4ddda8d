//! How much memory the process takes.

/// Bytes that the command takes besides tables: its own code's data, stacks, texts.
const BESIDE: usize = 36 << 20;

/// Whether the process takes more than `memory` bytes by a fifth and what it takes besides. Solvers keep to their
/// memory themselves; this stops what does not.
pub(super) fn is_over(memory: usize) -> bool {
    resident_bytes().is_some_and(|bytes| bytes > memory.saturating_add(memory / 5).saturating_add(BESIDE))
}

/// The bytes of memory that the process alone takes: pages of files are not counted, which the system takes back when
/// it likes. `None` where the system does not tell.
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
    fn the_system_tells_what_is_resident() {
        let before = resident_bytes().unwrap();
        assert!(before > 1 << 16, "{before}");
        let block = vec![1_u8; 64 << 20];
        assert!(std::hint::black_box(&block).len() == 64 << 20 && resident_bytes().unwrap() > before + (60 << 20));
        assert!(is_over(1 << 20) && !is_over(usize::MAX));
    }
}
