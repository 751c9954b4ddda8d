//! Memory for large tables.

#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;
/// Memory that nothing maps.
#[cfg(target_family = "wasm")]
type MmapMut = Vec<u64>;

/// A zeroed array of 64-bit words, mapped directly from the operating system: pages cost no time until
/// used. It is page-aligned, so no block of a power of two up to a cache line lies across two cache lines.
#[derive(Debug)]
pub(crate) struct ZeroedWords(MmapMut);

impl ZeroedWords {
    /// Allocates `len` words; `None` if the system has no memory for them.
    pub(crate) fn zeros(len: usize) -> Option<Self> {
        #[cfg(target_family = "wasm")]
        let memory = {
            let mut words = Vec::new();
            words.try_reserve_exact(len).ok()?;
            words.resize(len, 0);
            words
        };
        #[cfg(not(target_family = "wasm"))]
        let memory = MmapMut::map_anon(len.checked_mul(size_of::<u64>())?).ok()?;
        // Huge pages save most of the time of mapping gigabytes, and half the time of scattered look-ups. The
        // advice may fail: the table is then merely slower.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self(memory))
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u64] {
        bytemuck::cast_slice(&self.0)
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    /// Returns the words in blocks of `N`, without the remainder.
    #[inline]
    pub(crate) fn blocks_mut<const N: usize>(&mut self) -> &mut [[u64; N]] {
        self.as_mut_slice().as_chunks_mut().0
    }
}
