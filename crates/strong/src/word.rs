//! Keys during a build, in the fewest machine words that hold them.

use num_traits::{AsPrimitive, PrimInt, Unsigned};

/// A [key](balpan::Keyed::key), with some bits below it to spare.
pub trait Word:
    PrimInt + Unsigned + AsPrimitive<usize> + AsPrimitive<u64> + AsPrimitive<u128> + Send + Sync + 'static
{
    /// The bits of one.
    const BITS: u32;

    /// The word of a key that has room in it.
    fn of(key: u128) -> Self;
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;

    fn of(key: u128) -> Self {
        key as Self
    }
}

impl Word for u128 {
    const BITS: u32 = Self::BITS;

    fn of(key: u128) -> Self {
        key
    }
}
