//! Reading certificates, and metering their check. An error here cannot prove a false claim: this code chooses the
//! question, and supplies the answers that [`trusted`](crate::trusted) code checks.

pub mod answers;
pub mod coder;
pub(crate) mod explain;
mod head;
pub mod meter;
pub mod notation;

use std::io::Read;

use crate::trusted::claim::Header;
use crate::trusted::{Proved, walk};
use crate::{CheckError, Result};
use answers::{FromBytes, FromText};
use coder::{Decoder, Packed};
pub use head::FIRST_LINE;
use meter::{Interrupt, Meter};

/// The limits of a check.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of memory, without the file and the tables of the rules, which take at most some 16 MiB.
    pub memory: u64,
    /// Work for each byte of the file, in positions: see [`Meter`]. A short file is allowed that of [`MIN_BYTES`].
    pub positions: u64,
    /// Threads for searches.
    pub threads: usize,
    /// Interrupts the check.
    pub interrupt: Interrupt,
}

/// The length of a file from which on the work that is allowed grows with it: rules have a cost of their own.
pub const MIN_BYTES: u64 = 2048;

impl Limits {
    /// Returns the work that is allowed for a file of so many bytes, in positions.
    #[must_use]
    pub fn work(&self, bytes: usize) -> u64 {
        self.positions.saturating_mul(MIN_BYTES.max(bytes as u64))
    }
}

impl Default for Limits {
    /// 4 GiB, 20,000 positions a byte, which takes about a millisecond, and one thread.
    fn default() -> Self {
        Self { memory: 4 << 30, positions: 20_000, threads: 1, interrupt: Interrupt::default() }
    }
}

/// Checks a certificate.
///
/// # Errors
/// See [`CheckError`].
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Proved> {
    let (header, body) = parse(bytes)?;
    let meter = Meter::new(limits.work(bytes.len()), limits.memory, limits.interrupt.clone());
    let proved = if header.is_text {
        let text =
            std::str::from_utf8(body).map_err(|_| CheckError::NotACertificate("the answers are not text".into()))?;
        walk(&header, &mut FromText::new(&*header.game, text), &meter, limits.threads)?
    } else {
        let packed = Packed::new(Decoder::new(body)?);
        walk(&header, &mut FromBytes { game: &*header.game, packed }, &meter, limits.threads)?
    };
    if proved.claims != header.claims {
        let what = format!("{} claims; {} are announced", proved.claims, header.claims);
        return Err(CheckError::NotACertificate(what));
    }
    Ok(proved)
}

/// The largest number of claims whose answers a byte can hold: no bit takes less than a 1,500th of one.
const MAX_CLAIMS_A_BYTE: u64 = 1500;

/// The longest head, in bytes.
const MAX_HEAD_BYTES: usize = 1 << 16;

/// Reads the head of a certificate, and returns it with the bytes of the answers.
///
/// # Errors
/// [`CheckError::NotACertificate`] with what is wrong.
pub fn parse(bytes: &[u8]) -> Result<(Header, &[u8])> {
    let wrong = |what: String| CheckError::NotACertificate(what);
    let begin = &bytes[..bytes.len().min(MAX_HEAD_BYTES)];
    let end = begin.windows(2).position(|two| two == b"\n\n");
    let end = end.ok_or_else(|| wrong(format!("no empty line ends the head in its first {} bytes", begin.len())))?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| wrong("the head is not text".into()))?;
    let (header, body) = (Header::parse(head).map_err(wrong)?, &bytes[end + 2..]);
    if header.claims / MAX_CLAIMS_A_BYTE > body.len() as u64 {
        return Err(wrong(format!("{} claims are announced, in {} bytes", header.claims, body.len())));
    }
    Ok((header, body))
}

/// Reads a file, unless its first line is not a certificate's or it is longer than the memory limit.
///
/// # Errors
/// [`CheckError::NotACertificate`] if it does not begin as one, or cannot be read; [`CheckError::TooLarge`] if it is
/// too long.
pub fn read(mut file: impl Read, limits: &Limits) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut read_up_to = |max: u64, bytes: &mut Vec<u8>| {
        let read = file.by_ref().take(max.saturating_sub(bytes.len() as u64)).read_to_end(bytes);
        read.map_err(|e| CheckError::NotACertificate(e.to_string()))
    };
    read_up_to(FIRST_LINE.len() as u64, &mut bytes)?;
    if bytes != FIRST_LINE.as_bytes() {
        return Err(CheckError::NotACertificate(format!("the first line is not `{FIRST_LINE}`")));
    }
    read_up_to(limits.memory.saturating_add(1), &mut bytes)?;
    if bytes.len() as u64 > limits.memory {
        return Err(CheckError::TooLarge("the file is longer than the memory that `--memory` allows".into()));
    }
    Ok(bytes)
}

/// Escapes text for a terminal: control characters except line feeds, and invisible characters.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut printed = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !c.is_control() && (c.is_ascii() || c.escape_debug().len() == 1) {
            printed.push(c);
        } else {
            printed.extend(c.escape_default());
        }
    }
    printed
}
