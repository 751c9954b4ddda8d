//! The pages, one a file.

pub(crate) mod certificate;
pub(crate) mod certificates;
pub(crate) mod editor;
pub(crate) mod games;
pub(crate) mod position;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod tree;
