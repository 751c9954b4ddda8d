//! The machine word that holds a key during a build: 64 or 128 bits.

use num_traits::{AsPrimitive, PrimInt, Unsigned};

/// An unsigned integer that holds a [key](balpan::Keyed::key) and some bits below it.
pub trait Word:
    PrimInt + Unsigned + AsPrimitive<usize> + AsPrimitive<u64> + AsPrimitive<u128> + Send + Sync + 'static
{
    /// The width of the integer.
    const BITS: u32;

    /// Converts a key that fits; higher bits are lost.
    fn from_key(key: u128) -> Self;
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;

    fn from_key(key: u128) -> Self {
        key as Self
    }
}

impl Word for u128 {
    const BITS: u32 = Self::BITS;

    fn from_key(key: u128) -> Self {
        key
    }
}
