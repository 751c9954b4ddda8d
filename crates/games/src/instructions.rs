//! Run-time selection of bit-manipulation and AVX2 instructions for work on whole boards.

/// Proof of whether this machine has BMI1, BMI2, LZCNT, POPCNT and AVX2, for which work on boards is compiled
/// a second time. Only [`Instructions::found`] creates one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions {
    #[cfg(target_arch = "x86_64")]
    wide: bool,
}

/// A function to be compiled for each instruction set. Its callees are compiled with it only if they are
/// inlined: closures called from two places are not.
pub(crate) trait Work {
    /// The result.
    type Output;

    /// Runs the function.
    fn run(self) -> Self::Output;
}

impl Instructions {
    /// Detects the instructions of this machine.
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

    /// Whether the machine has all these instructions, AVX2 included.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn are_wide(self) -> bool {
        self.wide
    }

    /// Runs `work` with the best instructions of the machine.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `wide` is true only if all the features that the function enables were detected.
            #[allow(unsafe_code, reason = "the only way to call a function compiled for detected instructions")]
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
