//! Work on whole boards, compiled for what the machine has.

/// Whether the machine has the instructions that work on boards is compiled for a second
/// time: those that count, find and shift bits, and AVX2. Nothing else makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions {
    #[cfg(target_arch = "x86_64")]
    wide: bool,
}

/// A function of a board. What it calls is compiled with it if it is inlined into it:
/// closures are not, once they are called from two places.
pub(crate) trait Work {
    /// What it returns.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

impl Instructions {
    /// What this machine is found to have.
    pub(crate) fn found() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            wide: is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt"),
        }
    }

    /// Whether it has all that is used, AVX2 among it.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn are_wide(self) -> bool {
        self.wide
    }

    /// What `work` returns, by the best of the instructions.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: this machine was found to have all of them.
            #[allow(unsafe_code, reason = "the only way to call for instructions that the machine is found to have")]
            return unsafe { wide(work) };
        }
        work.run()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn wide<W: Work>(work: W) -> W::Output {
    work.run()
}
