//! Tame games: misère games that behave like positions of Nim in sums.

/// A tame game, represented by its nimber and its misère value, which determine the outcome of its sums with other
/// tame games.
///
/// A game is tame if all its options are, and its nimber and misère value are those of a Nim position: equal
/// (*firm*), or 0 and 1 in either order (*fickle*). A Nim position is fickle if and only if no heap has more than one
/// token. The ended game and all nim heaps are tame. Most games that are hard under misère play have a component that
/// is not tame.
///
/// ```
/// use balpan::Tame;
///
/// let two = Tame::from_options([Tame::ENDED, Tame::heap(1)]).unwrap();
/// assert_eq!(two, Tame::heap(2));
/// // Under misère play, two heaps of two lose, and so do three heaps of one; one heap of each wins.
/// assert!((two + two).is_lost());
/// assert!((Tame::heap(1) + Tame::heap(1) + Tame::heap(1)).is_lost());
/// assert!(!(two + Tame::heap(1)).is_lost());
/// // The options 0 and *2 + *2 give nimber 1 and misère value 2: the game is wild.
/// assert_eq!(Tame::from_options([Tame::ENDED, two + two]), None);
/// ```
///
/// Source: J. H. Conway, "On Numbers and Games" (1976), chapter 12; E. Berlekamp, J. Conway and R. Guy,
/// "Winning Ways" (1982), chapter 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tame {
    nimber: u32,
    /// Whether the misère value equals the nimber; otherwise they are 0 and 1, in either order.
    is_firm: bool,
}

impl Tame {
    /// The ended game.
    pub const ENDED: Self = Self { nimber: 0, is_firm: false };

    /// Creates a nim heap.
    #[must_use]
    pub const fn heap(size: u32) -> Self {
        Self { nimber: size, is_firm: size > 1 }
    }

    /// Returns the game with these options; `None` if it is wild.
    #[must_use]
    pub fn from_options(options: impl IntoIterator<Item = Self>) -> Option<Self> {
        let options: Vec<Self> = options.into_iter().collect();
        if options.is_empty() {
            return Some(Self::ENDED);
        }
        let mex = |of: fn(&Self) -> u32| {
            let mut met = vec![false; options.len() + 1];
            for option in &options {
                if let Some(met) = met.get_mut(of(option) as usize) {
                    *met = true;
                }
            }
            // There is one more candidate than there are options.
            met.iter().position(|met| !met).unwrap_or(0) as u32
        };
        Self::from_values(mex(|option| option.nimber), mex(|option| option.misere_value()))
    }

    /// Returns the game with this nimber and misère value, whose options are all tame; `None` if it is wild.
    #[must_use]
    pub const fn from_values(nimber: u32, misere_value: u32) -> Option<Self> {
        match (nimber, misere_value) {
            (0, 1) | (1, 0) => Some(Self { nimber, is_firm: false }),
            _ if nimber == misere_value => Some(Self { nimber, is_firm: true }),
            _ => None,
        }
    }

    /// Returns the nimber.
    #[must_use]
    pub const fn nimber(self) -> u32 {
        self.nimber
    }

    /// Returns the misère value: the size of the nim heap in whose sum with the game the player to move loses.
    #[must_use]
    pub const fn misere_value(self) -> u32 {
        if self.is_firm { self.nimber } else { self.nimber ^ 1 }
    }

    /// Returns whether the player to move loses under misère play.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        self.misere_value() == 0
    }
}

/// The sum of two games. It is firm if one of them is; then its misère value is the XOR of the nimbers.
impl std::ops::Add for Tame {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { nimber: self.nimber ^ other.nimber, is_firm: self.is_firm || other.is_firm }
    }
}

/// The sum of all games.
impl std::iter::Sum for Tame {
    fn sum<I: Iterator<Item = Self>>(games: I) -> Self {
        games.fold(Self::ENDED, |sum, game| sum + game)
    }
}
