//! The memory of a transposition table.

use std::ops::Deref;

use super::Bucket;

/// Buckets that are initially zero.
#[derive(Debug)]
pub(super) enum Buckets {
    /// On the heap.
    Small(Box<[Bucket]>),
    /// Mapped by the system, which returns zeros and spends no time on unused pages.
    #[cfg(not(any(loom, target_family = "wasm")))]
    Large(memmap2::MmapRaw),
}

impl Buckets {
    /// Allocates a few buckets on the heap.
    pub(super) fn small(count: usize) -> Self {
        Self::Small((0..count).map(|_| Bucket::default()).collect())
    }

    /// Maps any number of buckets; `None` if the machine has no memory for them.
    #[cfg(not(any(loom, target_family = "wasm")))]
    pub(super) fn large(count: usize) -> Option<Self> {
        let memory = memmap2::MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        // Large pages halve the time of scattered probes. A machine without them is only slower.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self::Large(memory.into()))
    }

    /// Allocates any number of buckets on the heap.
    #[cfg(any(loom, target_family = "wasm"))]
    pub(super) fn large(count: usize) -> Option<Self> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Bucket::default);
        Some(Self::Small(buckets.into()))
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        match self {
            Self::Small(buckets) => buckets,
            #[cfg(not(any(loom, target_family = "wasm")))]
            Self::Large(memory) => {
                let count = memory.len() / size_of::<Bucket>();
                // SAFETY: the mapping is owned by this table, lives as long as `self`, begins at a page and
                // so at a multiple of 64 bytes, and holds `count` buckets. A bucket consists of atomic
                // integers, for which all bit patterns are valid.
                #[allow(unsafe_code, reason = "there is no safe view of mapped memory as atomics")]
                unsafe {
                    std::slice::from_raw_parts(memory.as_mut_ptr().cast::<Bucket>(), count)
                }
            }
        }
    }
}
