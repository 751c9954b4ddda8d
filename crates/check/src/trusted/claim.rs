//! Claims: what a player can force, or a nimber.

use std::fmt;

use super::game::{Game, Outcome, Position, WON};

/// The head of a certificate: the game, the position and the claim.
#[derive(Debug)]
pub struct Header {
    /// The name of the game. Nothing depends on it.
    pub name: String,
    /// The rules.
    pub game: Box<dyn Game>,
    /// The position that the claim is about.
    pub position: Position,
    /// The claim.
    pub claim: Claim,
    /// The limit of what the checker finds by itself: positions of the search of a claim, or the layer of a part
    /// whose nimber it finds.
    pub settle: u64,
    /// The number of claims that follow.
    pub claims: u64,
    /// Whether the answers are text.
    pub is_text: bool,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The results that players can force: for each, whether it is the player to move, and the result.
    Play(Vec<(bool, Guarantee)>),
    /// The nimber is this number.
    Nimber(u32),
    /// The player to move (`true`: the nimber is not 0) or the other one (the nimber is 0) wins.
    WinsByNimber(bool),
}

impl Claim {
    /// The claim in words, with the names of the player to move and of the other one.
    pub fn words(&self, players: [&str; 2]) -> String {
        let player = |is_mover: &bool| players[usize::from(!is_mover)];
        match self {
            Self::Nimber(nimber) => format!("the nimber is {nimber}"),
            Self::WinsByNimber(is_mover) => format!("{} wins", player(is_mover)),
            Self::Play(halves) => match halves[..] {
                [] => "nothing".into(),
                [(true, Guarantee::DRAW), (false, Guarantee::DRAW)] => "it is a draw".into(),
                [(winner, win), (loser, loss)] if winner != loser && win > Guarantee::DRAW && win.0 == -loss.0 => {
                    match win.plies() {
                        Some(plies) => format!("{} wins in exactly {plies} plies", player(&winner)),
                        None => format!("{} gets exactly {}", player(&winner), win.0),
                    }
                }
                // "Y gets at least -3" is "X gets at most 3".
                [(who, Guarantee(score))] if (-MAX_SCORE..0).contains(&score) => {
                    format!("{} gets at most {}", player(&!who), -score)
                }
                _ => halves.iter().map(|(who, what)| format!("{} {what}", player(who))).collect::<Vec<_>>().join("; "),
            },
        }
    }
}

/// A result that a player can force, from the weakest to the strongest: not to lose before some ply, to get at least
/// some score (0: not to lose; 1: to win), to win within some plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guarantee(i32);

/// A win now; its negative is a loss now.
const NOW: i32 = WON;

/// The largest score: less than the guarantee of a win within any number of plies that a claim can state.
pub(crate) const MAX_SCORE: i32 = 800_000;
const _: () = assert!(MAX_SCORE < NOW - (1 << 16));

impl Guarantee {
    /// Not to lose.
    pub const DRAW: Self = Self(0);
    /// To win.
    pub const WIN: Self = Self(1);

    /// To get at least a score, from -64 to 64.
    pub const fn at_least(score: i32) -> Self {
        Self(score)
    }

    /// To win within `plies`, fewer than 2^16.
    pub const fn win_within(plies: u32) -> Self {
        Self(NOW - plies as i32)
    }

    /// Not to lose before `plies`, fewer than 2^16, are played.
    pub const fn no_loss_before(plies: u32) -> Self {
        Self(plies as i32 - NOW)
    }

    /// The number of plies until a win at the latest, or a loss at the earliest; `None` where plies are not counted.
    pub const fn plies(self) -> Option<i32> {
        if self.0.abs() <= MAX_SCORE { None } else { Some(NOW - self.0.abs()) }
    }

    /// The least score, where plies are not counted.
    pub const fn score(self) -> Option<i32> {
        if self.0.abs() <= MAX_SCORE { Some(self.0) } else { None }
    }

    /// The guarantee needed one ply later: a ply less, where plies are counted.
    pub const fn after_a_ply(self) -> Self {
        if self.0.abs() > MAX_SCORE { Self(self.0 + self.0.signum()) } else { self }
    }

    /// Whether play that ends now with this outcome, for the player who has the guarantee, meets it.
    pub const fn is_met_by(self, outcome: Outcome) -> bool {
        outcome >= self.0
    }

    /// Whether every position meets it.
    pub const fn is_nothing(self) -> bool {
        self.0 <= -NOW
    }

    /// Whether no position in which play goes on meets it.
    pub const fn is_too_much(self) -> bool {
        self.0 >= NOW
    }
}

/// Formats the guarantee in words that follow the player's name.
impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.plies()) {
            (Self::WIN, _) => f.write_str("wins"),
            (Self::DRAW, _) => f.write_str("draws or wins"),
            (Self(score), None) => write!(f, "gets at least {score}"),
            (_, Some(plies)) if self.0 > 0 => write!(f, "wins within {plies} plies"),
            (_, Some(plies)) => write!(f, "does not lose before {plies} plies"),
        }
    }
}
