//! The pages, one a file.

pub(crate) mod census;
pub(crate) mod certificate;
pub(crate) mod editor;
mod form;
pub(crate) mod games;
pub(crate) mod heaps;
pub(crate) mod learn;
pub(crate) mod parts;
pub(crate) mod position;
pub(crate) mod problems;
pub(crate) mod puzzles;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod sum;
pub(crate) mod tree;
pub(crate) mod value;
