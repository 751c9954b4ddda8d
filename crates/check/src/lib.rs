//! A checker of certificates: files from which anybody can check who wins a game, without
//! trusting who found it.
//!
//! It knows the rules of four families of games, and nothing of how they are solved. It depends on
//! nothing. `docs/certificates.md` describes the format, and why what passes is proved.
//!
//! | file | is |
//! |---|---|
//! | `header` | the head of a certificate: rules, position, claim |
//! | `sure` | what a player can be sure of |
//! | `play` | the check of claims about play |
//! | `nimber` | the check of claims about nimbers |
//! | `answers`, `coder` | what the certificate answers, from text or from bytes |
//! | `family`, `walkers`, `placement`, `lines`, `heaps` | the rules |
//! | `turn` | parts of a board turned and reflected |
//! | `outlasts` | a lemma about who moves last |
//!
//! ```
//! let text = "balpan certificate 1\n\
//!     game: tictactoe\nfamily: lines\nk: 3\ngravity: no\nmarks: own\noverlines: yes\nmisere: no\n\
//!     position: XX./OO./... x\nclaim: X wins within 1 plies\nsettle: 0\nclaims: 0\nanswers: text\n\n";
//! let proved = balpan_check::check(text.as_bytes(), &Default::default()).unwrap();
//! assert_eq!(proved.claim, "X wins within 1 plies");
//! ```

#![forbid(unsafe_code)]

pub mod answers;
pub mod coder;
pub mod family;
pub mod header;
mod heaps;
mod lines;
pub mod nimber;
mod outlasts;
mod placement;
pub mod play;
pub mod sure;
mod turn;
mod walkers;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use answers::{Answers, Failure, FromBytes, FromText};
use coder::{Decoder, Packed};
use header::{Claim, Header};

/// What the check may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of memory, about.
    pub memory: u64,
    /// Positions that are looked at for each byte of the file: those of claims, and of the searches
    /// that it leaves to the checker.
    pub positions: u64,
    /// Threads that search.
    pub threads: usize,
}

impl Default for Limits {
    /// 4 GiB, 20,000 positions a byte, which takes about a millisecond, and one thread.
    fn default() -> Self {
        Self { memory: 4 << 30, positions: 20_000, threads: 1 }
    }
}

/// What is proved now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// What the game is called. Nothing depends on it.
    pub game: String,
    /// The position.
    pub position: String,
    /// What is true of it, in words.
    pub claim: String,
    /// The number of claims that the certificate makes, about positions or parts.
    pub claims: u64,
}

/// Checks a certificate.
///
/// Memory: at most some 192 bytes a claim, for those that are still to be shown. Time: that of the rules' moves for each
/// claim, and of the searches that the certificate leaves to the checker.
///
/// # Errors
/// [`Failure::NotProved`] with the first claim that fails, or [`Failure::NotACertificate`] with what
/// is wrong.
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Proved, Failure> {
    let (header, body) = parse(bytes)?;
    let allowed = AtomicU64::new(limits.positions.saturating_mul(bytes.len() as u64));
    let most = limits.memory / BYTES_A_CLAIM;
    if header.claims > most {
        let needed = header.claims.saturating_mul(BYTES_A_CLAIM);
        return Err(Failure::NotACertificate(format!(
            "{} claims take {needed} bytes of memory; {} are allowed",
            header.claims, limits.memory
        )));
    }
    let claims = if header.is_text {
        let text =
            std::str::from_utf8(body).map_err(|_| Failure::NotACertificate("the answers are not text".into()))?;
        walk(&header, &mut FromText::new(&*header.family, text), &allowed, limits.threads)?
    } else {
        let packed = Packed::new(Decoder::new(body)?);
        walk(&header, &mut FromBytes { family: &*header.family, packed }, &allowed, limits.threads)?
    };
    if claims != header.claims {
        return Err(Failure::NotACertificate(format!("{claims} claims; {} are announced", header.claims)));
    }
    Ok(Proved { game: header.game, position: header.family.write(&header.position), claim: header.words, claims })
}

/// Bytes that a claim may take until it is shown: those about one position may wait twice, in lists
/// that have room for twice as many.
const BYTES_A_CLAIM: u64 = 192;

/// Claims that a byte can hold the answers of: no bit takes less than a 1,500th of one.
const CLAIMS_A_BYTE: u64 = 1500;

/// Bytes of the longest head.
const MOST_HEAD: usize = 1 << 16;

/// Reads the head of a certificate, and leaves its answers.
///
/// # Errors
/// [`Failure::NotACertificate`] with what is wrong.
pub fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), Failure> {
    let wrong = |what: String| Failure::NotACertificate(what);
    let begin = &bytes[..bytes.len().min(MOST_HEAD)];
    let end = begin.windows(2).position(|two| two == b"\n\n");
    let end = end.ok_or_else(|| wrong(format!("no empty line ends the head in its first {} bytes", begin.len())))?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| wrong("the head is not text".into()))?;
    let (header, body) = (Header::parse(head).map_err(wrong)?, &bytes[end + 2..]);
    if header.claims / CLAIMS_A_BYTE > body.len() as u64 {
        return Err(wrong(format!("{} claims are announced, in {} bytes", header.claims, body.len())));
    }
    Ok((header, body))
}

/// Goes through the claim of a certificate and all that it rests on, with each question answered
/// by `answers`, within the positions that are `allowed`. Returns the number of claims.
///
/// # Errors
/// As [`check`].
pub fn walk(header: &Header, answers: &mut dyn Answers, allowed: &AtomicU64, threads: usize) -> Result<u64, Failure> {
    let mut claims = 0;
    match &header.claim {
        Claim::Play(halves) => {
            for half in halves {
                play::check(header, *half, answers, (threads, allowed), &mut claims)?;
            }
        }
        Claim::Nimber(nimber) => nimber::check(header, Some(*nimber), answers, allowed, &mut claims)?,
        Claim::NotZero => nimber::check(header, None, answers, allowed, &mut claims)?,
    }
    answers.end()?;
    Ok(claims)
}

/// Takes positions from those that are allowed.
///
/// # Errors
/// If there are not as many left.
fn take(allowed: &AtomicU64, positions: u64) -> Result<(), Failure> {
    let taken = allowed.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(positions));
    let too_long = || Failure::NotACertificate("it takes more positions to check than are allowed".into());
    taken.map(|_| ()).map_err(|_| too_long())
}
