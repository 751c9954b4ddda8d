//! Other solvers from crates.io beside balpan: whether they give the same answers, and
//! in what time. The peers run through their own public interfaces; where a peer takes
//! any game, it gets balpan's own rules, so that only the searches differ.

pub mod answers;
pub mod clock;
pub mod connect4;
pub mod nim;
pub mod ours;
pub mod peers;
pub mod published;
pub mod rows;
