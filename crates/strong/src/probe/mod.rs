//! Reading solution files: probing positions, and walking through all of them.

pub(crate) mod oracle;
pub(crate) mod solution;
pub(crate) mod table;
pub(crate) mod values;
pub(crate) mod walk;
