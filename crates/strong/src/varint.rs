//! Variable-length integers (LEB128): seven bits a byte, the lowest first.

/// Appends a number.
#[inline]
pub fn write(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number and removes it from `bytes`; `None` if the bytes end within it or it is longer
/// than 128 bits.
#[inline]
pub fn read(bytes: &mut &[u8]) -> Option<u128> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut number = u128::from(first & 0x7f);
    for shift in (7..128).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
