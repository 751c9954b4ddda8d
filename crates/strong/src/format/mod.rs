//! The file format: the header, blocks of positions, and value codes.

pub(crate) mod blocks;
pub(crate) mod codes;
pub(crate) mod header;
pub(crate) mod prefix;
pub(crate) mod ribbon;
