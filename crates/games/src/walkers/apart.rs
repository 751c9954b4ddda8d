//! Tokens that can never meet any more: then each goes a walk of its own, and who
//! has the longer one wins.

use balpan::{Bounds, Value};

use super::longest::LongestWalk;
use super::question::{steps_to_exceed, steps_to_prevent};
use super::view::View;
use super::{Position, Walkers};
use crate::board::CellSet;

impl<W: CellSet> Walkers<W> {
    /// What is known where both tokens have ways on and can never meet, if they can
    /// not.
    ///
    /// All that a token can ever step on is what it reaches over the tiles without
    /// the two under the tokens now, which vanish with the first steps. Where nothing
    /// is reached by both, neither ever hinders the other, and each makes as many
    /// steps as it likes up to those of its longest walk. (To step onto the other one,
    /// where tiles are shared, is no better: it loses in 2 plies.) A queen might also
    /// slide over the other one's tile: what it reaches counts that in.
    #[inline]
    pub(super) fn apart(&self, position: &Position<W>, view: &View<W>, asked: Value) -> Option<Bounds> {
        let tokens @ [mover, other] = [position.mover.into(), position.other.into()];
        let reaches = if self.ways.slide() {
            let reaches = tokens.map(|token| self.ways.flood(token, position.tiles & !W::bit(token)));
            if !((reaches[0] | W::bit(mover)) & (reaches[1] | W::bit(other))).is_zero() {
                return None;
            }
            reaches
        } else {
            let reach = self.ways.flood(mover, view.after);
            // Most often they meet soon.
            if !(reach & view.theirs).is_zero() {
                return None;
            }
            [reach, self.ways.flood(other, view.after)]
        };
        if !(reaches[0] & reaches[1]).is_zero() {
            return None;
        }
        self.compare_walks(tokens, reaches, asked)
    }

    /// With longest walks of `own` and `their` steps, the token to move is stuck after
    /// 2 · `own` plies if `own` ≤ `their`, and else the other one after 2 · `their` + 1.
    /// It often takes less than both to answer what is asked. `None` if it takes too
    /// long.
    #[cold]
    #[inline(never)]
    fn compare_walks(&self, [mover, other]: [usize; 2], reaches: [W; 2], asked: Value) -> Option<Bounds> {
        let mut walk = LongestWalk::new(&self.ways);
        let most = self.ways.most_steps(mover, reaches[0]);
        let value = |own, their| if own > their { Value::win(2 * their + 1) } else { Value::loss(2 * own) };
        let exceeding = steps_to_exceed(asked);
        if exceeding <= most {
            let own = walk.steps(mover, reaches[0], exceeding)?;
            if own >= exceeding {
                // A loss as late as that, if not later, or a win.
                return Some(Bounds { lower: Value::loss(2 * own), ..Bounds::ANY });
            }
            let their = walk.steps(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        // Only a win is more than asked. Most often any that the other one's tiles allow is.
        let latest = self.ways.most_steps(other, reaches[1]);
        if latest < most && Value::win(2 * latest + 1) > asked {
            let own = walk.steps(mover, reaches[0], latest + 1)?;
            if own > latest {
                return Some(Bounds { lower: Value::win(2 * latest + 1), ..Bounds::ANY });
            }
            let their = walk.steps(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        let preventing = steps_to_prevent(asked);
        let their = walk.steps(other, reaches[1], most.min(preventing))?;
        if their >= most {
            return Some(Bounds { upper: Value::loss(2 * most), ..Bounds::ANY });
        }
        if their >= preventing {
            return Some(Bounds { upper: Value::win(2 * their + 1), ..Bounds::ANY });
        }
        let own = walk.steps(mover, reaches[0], their + 1)?;
        Some(Bounds::exact(value(own, their)))
    }
}
