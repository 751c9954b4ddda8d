//! Numbers as people write them.

/// `1,234,567`.
pub(crate) fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 ply`, `1,234 plies`.
pub(crate) fn counted(n: impl Into<u128>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Reads `512M`: bytes, or binary K, M, G or T of them.
pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        "T" | "TB" | "TIB" => Some(40),
        _ => None,
    };
    let bytes = shift.and_then(|shift| digits.parse::<usize>().ok()?.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a size such as 512M or 4G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let written = [0, 7, 123, 1_234, 255_168, 6_134_619].map(|n: u64| grouped(n));
        assert_eq!(written, ["0", "7", "123", "1,234", "255,168", "6,134,619"]);
        assert_eq!(counted(1_u32, "ply", "plies"), "1 ply");
    }

    #[test]
    fn sizes_are_read_or_refused() {
        assert_eq!(parse_memory("512M"), Ok(512 << 20));
        assert_eq!(parse_memory("4gib"), Ok(4 << 30));
        assert_eq!(parse_memory("0"), Ok(0));
        for wrong in ["", "M", "-1G", "1.5G", "9999999999T", "1X", "G1"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
