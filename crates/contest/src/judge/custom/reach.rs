//! Finds how large positions may be for quick exact answers.

use balpan::{EngineError, SplitMix, Watch};
use balpan_games::NoTextAnswer;

use super::CustomGameError;
use super::answer::AnswerKind;
use super::boards::TextGame;

/// The most positions that may be searched for one answer.
const MAX_SEARCHED: u64 = 1 << 17;

/// Positions that are tried for each number of cells.
const TRIES: usize = 3;

/// Returns the largest number of cells below the first at which a random position was too hard. At
/// least `easy_cells`, which are known to be easy.
pub(super) fn max_solvable_cells(
    game: &dyn TextGame,
    kind: AnswerKind,
    easy_cells: usize,
    watch: &Watch,
) -> Result<usize, CustomGameError> {
    let mut random = SplitMix(1);
    let (_, all) = game.start();
    let mut engine = game.engine_factory()();
    for left in easy_cells + 1..=all {
        for _ in 0..if left == all { 1 } else { TRIES } {
            let (text, _) = game.random_play(left, &mut random);
            watch.count(1).map_err(EngineError::Stopped)?;
            let answer = engine.ask("", &text, kind.question(), &watch.child(MAX_SEARCHED), &mut |_| {});
            match answer {
                Ok(answer) if answer.complete => {}
                Ok(_) | Err(NoTextAnswer::NoAnswer(EngineError::Stopped(_))) if watch.is_stopping() => {
                    return Err(EngineError::Stopped(balpan::Stopped::Interrupted).into());
                }
                Ok(_) | Err(NoTextAnswer::NoAnswer(EngineError::Stopped(_))) => return Ok(left - 1),
                Err(e) => return Err(e.into()),
            }
        }
    }
    Ok(all)
}
