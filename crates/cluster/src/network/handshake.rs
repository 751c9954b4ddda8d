//! The handshake between processes, before any data.
//!
//! Both send a greeting: their index, a hash of what they build, and 32 random bytes. Then both
//! prove that they know the secret, by a BLAKE3 hash of both greetings keyed by the secret, with
//! one byte more for the direction. The caller proves it first; the other side answers with a
//! refusal, or with its own proof. This protects against strangers and mistakes, not against
//! attackers who can change what is on the wire.

use std::io::{self, Read, Write};

/// The first bytes of a connection.
const MAGIC: &[u8; 8] = b"balpan\0c";

/// The version of the protocol.
const VERSION: u32 = 1;

const GREETING_BYTES: usize = 8 + 4 + 4 + 4 + 32 + 32;

/// The longest refusal that is read, in bytes.
const MAX_REFUSAL_BYTES: u8 = 200;

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Messages between workers.
    Data,
    /// Heartbeats.
    Beat,
}

/// This process, as it identifies itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalProcess<'a> {
    pub(crate) process: u32,
    /// The hash of what is built, by how many processes and workers.
    pub(crate) build: &'a blake3::Hash,
    pub(crate) secret: &'a [u8; 32],
}

/// Why a handshake failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HandshakeError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("its greeting is not that of a process of a build")]
    Noise,
    #[error("it is of another version of balpan: {0}, and not {VERSION}")]
    Version(u32),
    #[error("it does not know the secret")]
    Secret,
    #[error(
        "it builds something else, or with other options: the game, its rules, the starts, --partitions, --workers and the hosts have to be the same"
    )]
    Build,
    #[error("it says that it is process {0}, which was not expected")]
    Process(u32),
    #[error("refused by the other side: {0}")]
    Refused(String),
}

/// A greeting.
#[derive(Clone, Copy)]
struct Greeting([u8; GREETING_BYTES]);

impl Greeting {
    fn new(me: &LocalProcess<'_>, purpose: Purpose) -> io::Result<Self> {
        let mut bytes = [0; GREETING_BYTES];
        let mut nonce = [0; 32];
        getrandom::fill(&mut nonce).map_err(|e| io::Error::other(e.to_string()))?;
        let parts: [&[u8]; 6] = [
            MAGIC,
            &VERSION.to_le_bytes(),
            &(purpose as u32).to_le_bytes(),
            &me.process.to_le_bytes(),
            me.build.as_bytes(),
            &nonce,
        ];
        let mut at = 0;
        for part in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        Ok(Self(bytes))
    }

    fn read(from: &mut impl Read) -> Result<Self, HandshakeError> {
        let mut bytes = [0; GREETING_BYTES];
        // A wrong beginning is refused at once.
        from.read_exact(&mut bytes[..12])?;
        if bytes[..8] != *MAGIC {
            return Err(HandshakeError::Noise);
        }
        let greeting = Self(bytes);
        if greeting.number(8) != VERSION {
            return Err(HandshakeError::Version(greeting.number(8)));
        }
        from.read_exact(&mut bytes[12..])?;
        Ok(Self(bytes))
    }

    fn number(&self, at: usize) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.0[at..at + 4]);
        u32::from_le_bytes(bytes)
    }

    fn purpose(&self) -> Option<Purpose> {
        [Purpose::Data, Purpose::Beat].into_iter().find(|&purpose| purpose as u32 == self.number(12))
    }
}

/// The proof that a side knows the secret.
fn proof(secret: &[u8; 32], side: u8, caller: &Greeting, callee: &Greeting) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(secret);
    hasher.update(&[side]).update(&caller.0).update(&callee.0);
    hasher.finalize()
}

fn read_proof(from: &mut impl Read) -> io::Result<blake3::Hash> {
    let mut bytes = [0; 32];
    from.read_exact(&mut bytes)?;
    Ok(bytes.into())
}

/// Derives a key from a secret.
pub(crate) fn derive_key(secret: &[u8]) -> [u8; 32] {
    blake3::derive_key("balpan cluster 2026-11 secret", secret)
}

/// The caller's side of the handshake with process `other`.
pub(crate) fn initiate(
    stream: &mut (impl Read + Write),
    me: &LocalProcess<'_>,
    other: u32,
    purpose: Purpose,
) -> Result<(), HandshakeError> {
    let caller = Greeting::new(me, purpose)?;
    stream.write_all(&caller.0)?;
    let callee = Greeting::read(stream)?;
    stream.write_all(proof(me.secret, 0, &caller, &callee).as_bytes())?;
    let mut refusal = [0];
    stream.read_exact(&mut refusal)?;
    if refusal[0] > 0 {
        let mut text = vec![0; refusal[0].min(MAX_REFUSAL_BYTES).into()];
        stream.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        return Err(HandshakeError::Refused(text.chars().filter(|c| !c.is_control()).collect()));
    }
    // BLAKE3 hashes are compared in constant time.
    if read_proof(stream)? != proof(me.secret, 1, &caller, &callee) {
        return Err(HandshakeError::Secret);
    }
    if callee.0[20..52] != *me.build.as_bytes() {
        return Err(HandshakeError::Build);
    }
    if callee.number(16) != other {
        return Err(HandshakeError::Process(callee.number(16)));
    }
    Ok(())
}

/// The called side of the handshake. Returns the caller's index and the purpose of the connection.
pub(crate) fn accept(
    stream: &mut (impl Read + Write),
    me: &LocalProcess<'_>,
    is_expected: impl FnOnce(u32, Purpose) -> bool,
) -> Result<(u32, Purpose), HandshakeError> {
    let caller = Greeting::read(stream)?;
    let callee = Greeting::new(me, Purpose::Data)?;
    stream.write_all(&callee.0)?;
    let knows_secret = read_proof(stream)? == proof(me.secret, 0, &caller, &callee);
    let process = caller.number(16);
    let found = match caller.purpose() {
        _ if !knows_secret => Err(HandshakeError::Secret),
        _ if caller.0[20..52] != *me.build.as_bytes() => Err(HandshakeError::Build),
        Some(purpose) if is_expected(process, purpose) => Ok((process, purpose)),
        _ => Err(HandshakeError::Process(process)),
    };
    match &found {
        Ok(_) => {
            stream.write_all(&[0])?;
            stream.write_all(proof(me.secret, 1, &caller, &callee).as_bytes())?;
        }
        Err(error) => {
            let text = error.to_string();
            let text = &text.as_bytes()[..text.len().min(MAX_REFUSAL_BYTES.into())];
            stream.write_all(&[text.len() as u8])?;
            stream.write_all(text)?;
        }
    }
    found
}
