//! Answers about strategies: true ones, written down as a certificate, and those of a liar.

use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::strategy::{Goal, NodeClaim, NodeSearch};
use balpan_check::untrusted::answers::Answers;
use balpan_check::untrusted::meter::Meter;
use balpan_check::{CheckError, Result, walk};

use crate::graph::{Graph, NEVER};
use crate::random::Random;

/// Answers by what is true, and writes the answers down.
pub(crate) struct Honest<'g> {
    pub(crate) graph: &'g mut Graph,
    /// The positions of a search that settles a claim.
    pub(crate) settle: u64,
    pub(crate) text: String,
}

impl Answers for Honest<'_> {
    fn node(&mut self, game: &dyn Game, claim: &NodeClaim) -> Result<(u32, bool)> {
        let n = self.graph.numbers[&claim.node.at];
        let mut plies = 0;
        self.text += &format!("\n{}", game.write(&claim.node.at));
        if let Goal::Reach(least) = claim.goal {
            plies = self.graph.reach(least)[n][usize::from(claim.node.is_claimer)];
            if plies == NEVER {
                return Err(CheckError::NotProved("it is not true".into()));
            }
            self.text += &format!(" within {plies}");
        }
        let sure = NodeClaim { plies: if plies > 0 { plies } else { claim.plies }, ..*claim };
        let is_searched = NodeSearch::new(game, Meter::unlimited()).can_force(&sure, self.settle) == Ok(Some(true));
        self.text += if is_searched { " : searched" } else { " :" };
        Ok((plies, is_searched))
    }

    fn choice(&mut self, game: &dyn Game, claim: &NodeClaim, moves: &[Move]) -> Result<usize> {
        let claim = match claim.goal {
            Goal::Reach(least) => {
                let n = self.graph.numbers[&claim.node.at];
                NodeClaim { plies: self.graph.reach(least)[n][1], ..*claim }
            }
            _ => *claim,
        };
        let is_sure = |mv: &Move| claim.after(mv).unwrap_or_else(|next| self.graph.is_true(&next));
        let found = moves.iter().position(is_sure).ok_or(CheckError::NotProved("it is not true".into()))?;
        self.text += &format!(" {}", game.write_move(moves[found].number));
        Ok(found)
    }
}

/// Writes the certificate of a head without the number of its claims; `None` if the claim is not true.
pub(crate) fn certificate(head: &str, header: &mut Header, graph: &mut Graph) -> Option<String> {
    header.claims = u64::MAX;
    let mut honest = Honest { graph, settle: header.settle, text: String::new() };
    let proved = walk(header, &mut honest, &Meter::unlimited(), 1).ok()?;
    Some(format!("{head}claims: {}\nanswers: text\n{}\n", proved.claims, honest.text))
}

/// Answers whatever may be believed.
pub(crate) struct Liar<'r> {
    pub(crate) random: &'r mut Random,
    /// Positions that were claimed, for moves that lead there again.
    pub(crate) met: Vec<Position>,
    /// The answers that are left.
    pub(crate) left: u32,
}

impl Answers for Liar<'_> {
    fn node(&mut self, _: &dyn Game, claim: &NodeClaim) -> Result<(u32, bool)> {
        self.left = self.left.checked_sub(1).ok_or(CheckError::NotProved("no more lies".into()))?;
        self.met.push(claim.node.at);
        let plies = match self.random.below(4) {
            0 => self.random.below(claim.plies as usize + 1) as u32,
            1 => claim.plies.min(1 + self.random.below(9) as u32),
            2 => claim.plies.saturating_sub(1),
            _ => claim.plies,
        };
        Ok((plies, self.random.below(9) == 0))
    }

    fn choice(&mut self, _: &dyn Game, _: &NodeClaim, moves: &[Move]) -> Result<usize> {
        let again = moves.iter().position(|mv| mv.end.is_none() && self.met.contains(&mv.after));
        let any = self.random.below(moves.len());
        Ok(again.filter(|_| self.random.below(3) > 0).unwrap_or(any))
    }
}
