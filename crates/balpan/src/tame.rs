//! Tame games: misère games whose sums are as easy as those of Nim.

/// A tame game, as far as it matters in a sum with other tame games: it is as good as a nim heap, or
/// as several.
///
/// A game is tame if all its options are, and its nimber and its misère value are those of a position
/// of Nim: both the same number, or 0 and 1 in either order. In a position of Nim they differ where no
/// heap has more than one token. The ended game is tame, and so is every nim heap. Most games that
/// are hard by the misère convention are hard because some part of theirs is not tame.
///
/// ```
/// use balpan::Tame;
///
/// let two = Tame::of_options([Tame::ENDED, Tame::heap(1)]).unwrap();
/// assert_eq!(two, Tame::heap(2));
/// // Two heaps of two are lost, and so are three of one; one of each is not.
/// assert!((two + two).is_lost());
/// assert!((Tame::heap(1) + Tame::heap(1) + Tame::heap(1)).is_lost());
/// assert!(!(two + Tame::heap(1)).is_lost());
/// // *2 alone as an option, and the end with two heaps of two: wild.
/// assert_eq!(Tame::of_options([Tame::ENDED, two + two]), None);
/// ```
///
/// Source: J. H. Conway, "On Numbers and Games" (1976), chapter 12; E. Berlekamp, J. Conway and R. Guy,
/// "Winning Ways" (1982), chapter 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tame {
    nimber: u32,
    /// Whether the misère value is the nimber, and not the other one of 0 and 1.
    is_firm: bool,
}

impl Tame {
    /// The game that has ended.
    pub const ENDED: Self = Self { nimber: 0, is_firm: false };

    /// The nim heap of this size.
    #[must_use]
    pub const fn heap(size: u32) -> Self {
        Self { nimber: size, is_firm: size > 1 }
    }

    /// The game that has these options, if it is tame.
    #[must_use]
    pub fn of_options(options: impl IntoIterator<Item = Self>) -> Option<Self> {
        let options: Vec<Self> = options.into_iter().collect();
        if options.is_empty() {
            return Some(Self::ENDED);
        }
        let least_absent = |of: fn(&Self) -> u32| {
            let mut met = vec![false; options.len() + 1];
            for option in &options {
                if let Some(met) = met.get_mut(of(option) as usize) {
                    *met = true;
                }
            }
            // There is one more of these than there are options.
            met.iter().position(|met| !met).unwrap_or(0) as u32
        };
        Self::of(least_absent(|option| option.nimber), least_absent(|option| option.misere_value()))
    }

    /// The game of this nimber and this misère value whose options are tame, if it is.
    #[must_use]
    pub const fn of(nimber: u32, misere_value: u32) -> Option<Self> {
        match (nimber, misere_value) {
            (0, 1) | (1, 0) => Some(Self { nimber, is_firm: false }),
            _ if nimber == misere_value => Some(Self { nimber, is_firm: true }),
            _ => None,
        }
    }

    /// The nimber, by the normal convention.
    #[must_use]
    pub const fn nimber(self) -> u32 {
        self.nimber
    }

    /// The misère value: the size of the nim heap beside which the game is lost for the player to move.
    #[must_use]
    pub const fn misere_value(self) -> u32 {
        if self.is_firm { self.nimber } else { self.nimber ^ 1 }
    }

    /// Whether the player to move loses by the misère convention.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        self.misere_value() == 0
    }
}

/// The sum of two games. In one of which a part is firm, nimbers add up to the misère value.
impl std::ops::Add for Tame {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { nimber: self.nimber ^ other.nimber, is_firm: self.is_firm || other.is_firm }
    }
}

/// The sum of all.
impl std::iter::Sum for Tame {
    fn sum<I: Iterator<Item = Self>>(games: I) -> Self {
        games.fold(Self::ENDED, |sum, game| sum + game)
    }
}
