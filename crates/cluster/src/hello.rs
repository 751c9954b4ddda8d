//! The handshake between processes, before any data.
//!
//! Both send a greeting: what they are, what they build, and 32 bytes at random. Then both prove
//! that they know the secret: by BLAKE3 of both greetings, keyed by the secret, with one byte more
//! that tells the two directions apart. Whoever has called says so first; whoever was called
//! answers why not, or proves it as well. It protects against strangers and mistakes, and not
//! against those who can change what is on the wire.

use std::io::{self, Read, Write};

/// What a connection begins with.
const MAGIC: &[u8; 8] = b"balpan\0c";

/// The version of what is said.
const VERSION: u32 = 1;

const LENGTH: usize = 8 + 4 + 4 + 4 + 32 + 32;

/// The longest refusal that is read.
const LONGEST: u8 = 200;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What workers send each other.
    Data,
    /// That the process is alive.
    Beat,
}

/// Who speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Me<'a> {
    pub(crate) process: u32,
    /// What is built, by how many processes and workers: the hash of it.
    pub(crate) build: &'a blake3::Hash,
    pub(crate) secret: &'a [u8; 32],
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHello {
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
struct Greeting([u8; LENGTH]);

impl Greeting {
    fn new(me: &Me<'_>, purpose: Purpose) -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        let mut chance = [0; 32];
        getrandom::fill(&mut chance).map_err(|e| io::Error::other(e.to_string()))?;
        let parts: [&[u8]; 6] = [
            MAGIC,
            &VERSION.to_le_bytes(),
            &(purpose as u32).to_le_bytes(),
            &me.process.to_le_bytes(),
            me.build.as_bytes(),
            &chance,
        ];
        let mut at = 0;
        for part in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        Ok(Self(bytes))
    }

    fn read(from: &mut impl Read) -> Result<Self, NoHello> {
        let mut bytes = [0; LENGTH];
        // What does not begin as it should is not waited for.
        from.read_exact(&mut bytes[..12])?;
        if bytes[..8] != *MAGIC {
            return Err(NoHello::Noise);
        }
        let greeting = Self(bytes);
        if greeting.number(8) != VERSION {
            return Err(NoHello::Version(greeting.number(8)));
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

/// That a side knows the secret.
fn proof(secret: &[u8; 32], side: u8, called: &Greeting, answered: &Greeting) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(secret);
    hasher.update(&[side]).update(&called.0).update(&answered.0);
    hasher.finalize()
}

fn read_proof(from: &mut impl Read) -> io::Result<blake3::Hash> {
    let mut bytes = [0; 32];
    from.read_exact(&mut bytes)?;
    Ok(bytes.into())
}

/// The key that a secret makes.
pub(crate) fn key_of(secret: &[u8]) -> [u8; 32] {
    blake3::derive_key("balpan cluster 2026-11 secret", secret)
}

/// Says hello to a process that was called, and hears its answer.
pub(crate) fn call(stream: &mut (impl Read + Write), me: &Me<'_>, other: u32, purpose: Purpose) -> Result<(), NoHello> {
    let called = Greeting::new(me, purpose)?;
    stream.write_all(&called.0)?;
    let answered = Greeting::read(stream)?;
    stream.write_all(proof(me.secret, 0, &called, &answered).as_bytes())?;
    let mut refusal = [0];
    stream.read_exact(&mut refusal)?;
    if refusal[0] > 0 {
        let mut text = vec![0; refusal[0].min(LONGEST).into()];
        stream.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        return Err(NoHello::Refused(text.chars().filter(|c| !c.is_control()).collect()));
    }
    // Hashes are compared in a time that does not depend on where they differ.
    if read_proof(stream)? != proof(me.secret, 1, &called, &answered) {
        return Err(NoHello::Secret);
    }
    if answered.0[20..52] != *me.build.as_bytes() {
        return Err(NoHello::Build);
    }
    if answered.number(16) != other {
        return Err(NoHello::Process(answered.number(16)));
    }
    Ok(())
}

/// Hears the hello of one who calls, and answers. Returns which process it is, and what for.
pub(crate) fn answer(
    stream: &mut (impl Read + Write),
    me: &Me<'_>,
    is_expected: impl FnOnce(u32, Purpose) -> bool,
) -> Result<(u32, Purpose), NoHello> {
    let called = Greeting::read(stream)?;
    let answered = Greeting::new(me, Purpose::Data)?;
    stream.write_all(&answered.0)?;
    let is_known = read_proof(stream)? == proof(me.secret, 0, &called, &answered);
    let process = called.number(16);
    let found = match called.purpose() {
        _ if !is_known => Err(NoHello::Secret),
        _ if called.0[20..52] != *me.build.as_bytes() => Err(NoHello::Build),
        Some(purpose) if is_expected(process, purpose) => Ok((process, purpose)),
        _ => Err(NoHello::Process(process)),
    };
    match &found {
        Ok(_) => {
            stream.write_all(&[0])?;
            stream.write_all(proof(me.secret, 1, &called, &answered).as_bytes())?;
        }
        Err(error) => {
            let text = error.to_string();
            let text = &text.as_bytes()[..text.len().min(LONGEST.into())];
            stream.write_all(&[text.len() as u8])?;
            stream.write_all(text)?;
        }
    }
    found
}
