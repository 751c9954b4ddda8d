//! Four in a row in all four directions at once, by vector instructions.

use super::rows::Directions;
use crate::instructions::Instructions;

/// Computes [`Rows::missing_one_of_4`](super::rows::Rows::missing_one_of_4) for all directions at
/// once, as it is needed after every move; `None` if the machine has no AVX2.
#[inline(always)]
pub(super) fn missing_one_of_4(
    instructions: Instructions,
    shifts: &Directions,
    begins: &Directions,
    cells: u64,
) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if instructions.are_wide() {
        // SAFETY: this machine has AVX2, as detected.
        #[allow(unsafe_code, reason = "the only way to call for instructions that the machine is found to have")]
        return Some(unsafe { by_avx2(shifts, begins, cells) });
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (instructions, shifts, begins, cells);
    None
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2(shifts: &Directions, begins: &Directions, cells: u64) -> u64 {
    use std::arch::x86_64::*;

    let lanes = |[a, b, c, d]: Directions| _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64);
    let cells = _mm256_set1_epi64x(cells as i64);
    let one = lanes(*shifts);
    let two = _mm256_add_epi64(one, one);
    let three = _mm256_add_epi64(one, two);
    let begins = lanes(*begins);
    let second = _mm256_srlv_epi64(cells, one);
    let third = _mm256_srlv_epi64(cells, two);
    let fourth = _mm256_and_si256(_mm256_srlv_epi64(cells, three), begins);
    let first_two = _mm256_and_si256(_mm256_and_si256(cells, second), begins);
    let last_two = _mm256_and_si256(third, fourth);
    let missing = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(second, last_two), _mm256_sllv_epi64(_mm256_and_si256(cells, last_two), one)),
        _mm256_or_si256(
            _mm256_sllv_epi64(_mm256_and_si256(first_two, fourth), two),
            _mm256_sllv_epi64(_mm256_and_si256(first_two, third), three),
        ),
    );
    let halves = _mm_or_si128(_mm256_castsi256_si128(missing), _mm256_extracti128_si256::<1>(missing));
    (_mm_cvtsi128_si64(halves) | _mm_extract_epi64::<1>(halves)) as u64
}
