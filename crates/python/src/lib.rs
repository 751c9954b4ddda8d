//! The extension module of the Python package, on which the Python code in `python/balpan` builds.
//!
//! Reports are dictionaries with the field names of the command's `--json`; the Python code makes data classes of
//! them. The interpreter is released while a question is answered (`waiting`). Nothing here decides about games.

#[cfg(panic = "abort")]
compile_error!("a panic would end the interpreter: build it with maturin, or with `--profile wheel`");

mod errors;
mod game;
mod judging;
mod look;
mod many;
mod own;
mod question;
mod reports;
mod serve;
mod steps;
mod strong;
mod sums;
mod theories;
mod waiting;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _balpan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::TextGame>()?;
    module.add_class::<many::Many>()?;
    module.add_class::<steps::Steps>()?;
    module.add_class::<reports::TreeSheet>()?;
    module.add_class::<strong::StrongFile>()?;
    module.add_class::<own::OwnEngine>()?;
    module.add_class::<serve::PageServer>()?;
    module.add_function(wrap_pyfunction!(own::register, module)?)?;
    module.add_function(wrap_pyfunction!(own::call::at_exit, module)?)?;
    module.add_function(wrap_pyfunction!(game::presets, module)?)?;
    module.add_function(wrap_pyfunction!(sums::sum_of, module)?)?;
    module.add_function(wrap_pyfunction!(sums::value, module)?)?;
    module.add_function(wrap_pyfunction!(theories::period, module)?)?;
    module.add_function(wrap_pyfunction!(theories::quotient, module)?)?;
    module.add_function(wrap_pyfunction!(judging::compare, module)?)?;
    module.add_function(wrap_pyfunction!(judging::generate, module)?)?;
    module.add_function(wrap_pyfunction!(judging::judge_svg, module)?)?;
    Ok(())
}
