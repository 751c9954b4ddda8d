//! The pages, one a file.

pub(crate) mod editor;
pub(crate) mod games;
pub(crate) mod position;
pub(crate) mod rules;
pub(crate) mod tree;
