//! Messages of the command: one function for each phrase, both languages side by side. Phrases that the explorer's pages
//! have as well are the same.

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
