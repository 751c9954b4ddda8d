//! How large positions may be for exact answers to come in a moment.

use balpan::{EngineError, SplitMix, Watch};
use balpan_games::NoTextAnswer;

use super::NoOwnGame;
use super::answer::Wanted;
use super::boards::OnBoard;

/// Positions that may be searched for an answer.
const HARD: u64 = 1 << 17;

/// The number of positions tried with the same amount left.
const TRIES: usize = 3;

/// The most that may be left: with more, some position that came at random was too hard. No less
/// than `at_least`, which is known to be easy.
pub(super) fn reach(on: &dyn OnBoard, wanted: Wanted, at_least: usize, watch: &Watch) -> Result<usize, NoOwnGame> {
    let mut random = SplitMix(1);
    let (_, all) = on.start();
    let mut engine = on.maker()();
    for left in at_least + 1..=all {
        for _ in 0..if left == all { 1 } else { TRIES } {
            let (text, _) = on.played(left, &mut random);
            watch.count(1).map_err(EngineError::Stopped)?;
            let answer = engine.ask("", &text, wanted.question(), &watch.child(HARD), &mut |_| {});
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
