//! The memory of a table.

use std::ops::Deref;

use super::Bucket;

/// Buckets that begin as all zeros.
#[derive(Debug)]
pub(super) enum Buckets {
    /// On the heap.
    Small(Box<[Bucket]>),
    /// Straight from the system, which gives zeros and takes no time for what is not
    /// used.
    #[cfg(not(loom))]
    Large(memmap2::MmapRaw),
}

impl Buckets {
    /// So few that it does not matter where they are.
    pub(super) fn small(count: usize) -> Self {
        Self::Small((0..count).map(|_| Bucket::default()).collect())
    }

    /// Any number; `None` if the machine has no memory for them.
    #[cfg(not(loom))]
    pub(super) fn large(count: usize) -> Option<Self> {
        let memory = memmap2::MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        // Large pages spare half of the time that scattered look-ups take. A machine
        // without them does as well, if more slowly.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self::Large(memory.into()))
    }

    #[cfg(loom)]
    pub(super) fn large(count: usize) -> Option<Self> {
        Some(Self::small(count))
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        match self {
            Self::Small(buckets) => buckets,
            #[cfg(not(loom))]
            Self::Large(memory) => {
                let count = memory.len() / size_of::<Bucket>();
                // SAFETY: the memory is this table's alone, lives as long as `self`, begins
                // at a page and so at a multiple of 64 bytes, and holds `count` buckets:
                // atomic integers, for which any bits are a value, and zeros are the first.
                #[allow(unsafe_code, reason = "memory of the system's has no safe view as atomics")]
                unsafe {
                    std::slice::from_raw_parts(memory.as_mut_ptr().cast::<Bucket>(), count)
                }
            }
        }
    }
}
