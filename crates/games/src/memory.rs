//! The memory of large tables.

use memmap2::MmapMut;

/// Words that begin as zeros, straight from the system, which takes no time for what
/// is not used. They begin at a page, so no block of a power of two lies across two cache lines.
#[derive(Debug)]
pub(crate) struct Words(MmapMut);

impl Words {
    /// So many; `None` if the machine has no memory for them.
    pub(crate) fn zeros(len: usize) -> Option<Self> {
        let memory = MmapMut::map_anon(len.checked_mul(size_of::<u64>())?).ok()?;
        // Large pages spare most of the time that the system takes to give gigabytes, and
        // half of that of scattered look-ups. A machine without them does as well, if
        // more slowly.
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

    /// In blocks of `N`, but for those that are left over.
    #[inline]
    pub(crate) fn blocks_mut<const N: usize>(&mut self) -> &mut [[u64; N]] {
        self.as_mut_slice().as_chunks_mut().0
    }
}
