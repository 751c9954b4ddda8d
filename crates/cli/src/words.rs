//! What the command says, in each language: one function a phrase, both languages side by side.
//! Where the explorer's pages say the same, they say it in the same words.

pub(crate) mod answer;
pub(crate) mod count;
pub(crate) mod estimate;
pub(crate) mod period;
pub(crate) mod play;
pub(crate) mod progress;
pub(crate) mod quotient;
pub(crate) mod stress;
pub(crate) mod sum;
pub(crate) mod value;
