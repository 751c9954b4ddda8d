//! Games that break one law each, which the check finds.

use balpan::laws::{BrokenLaw, check};
use balpan::{Bounds, Game, Outcome, Tame, Value};

/// A heap from which one or two are taken, with one law broken.
#[derive(PartialEq)]
enum Heap {
    Sound,
    Endless,
    IllegalMoves,
    MovesTwice,
    RestlessForm,
    UnequalForm,
    WrongBounds,
    LongKeys,
    SameKeys,
    BadCandidates,
    NoBestCandidate,
    WrongMobility,
    OtherMoves,
    NotNormal,
    WrongParts,
    WrongNimber,
    WrongPartKey,
    SameLayer,
    LayerOfForm,
    WrongKey,
    Misere,
    NotMisere,
    WrongMisereParts,
    WrongTame,
}

impl Game for Heap {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        9
    }

    fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> {
        let least = if *self == Self::Endless { 0 } else { 1 };
        (least..=if heap > 9 { 0 } else { heap.min(2) }).chain((*self == Self::MovesTwice && heap > 0).then_some(1))
    }

    fn play(&self, heap: &u32, taken: u32) -> u32 {
        if *self == Self::IllegalMoves && *heap == 3 { 77 } else { heap - taken }
    }

    fn end(&self, _heap: &u32) -> Outcome {
        let wins = matches!(self, Self::NotNormal | Self::Misere | Self::WrongMisereParts | Self::WrongTame);
        if wins { Outcome::Win } else { Outcome::Loss }
    }

    fn is_legal(&self, &heap: &u32) -> bool {
        heap <= 9
    }

    fn canonical(&self, &heap: &u32) -> u32 {
        match self {
            Self::RestlessForm if heap > 0 => heap - 1,
            Self::UnequalForm if heap == 4 => 1,
            Self::LayerOfForm if heap == 7 => 4,
            _ => heap,
        }
    }

    fn key_bits(&self) -> u32 {
        if *self == Self::LongKeys { 3 } else { 4 }
    }

    fn key(&self, &heap: &u32) -> u128 {
        if *self == Self::SameKeys { (heap / 2).into() } else { heap.into() }
    }

    fn position_from_key(&self, key: u128) -> Option<u32> {
        match self {
            Self::WrongKey if key == 4 => Some(1),
            Self::SameKeys => None,
            _ => u32::try_from(key).ok(),
        }
    }

    fn layer(&self, &heap: &u32) -> Option<u32> {
        match self {
            Self::Sound | Self::LayerOfForm | Self::Misere => Some(heap),
            Self::SameLayer => Some(heap / 2),
            _ => None,
        }
    }

    fn candidates(&self, &heap: &u32) -> impl Iterator<Item = u32> {
        let no_move = (*self == Self::BadCandidates).then_some(3);
        let only_one = *self == Self::NoBestCandidate && heap == 2;
        let moves: Vec<u32> = self.moves(&heap).filter(|&taken| !only_one || taken == 1).collect();
        moves.into_iter().chain(no_move)
    }

    fn bounds(&self, &heap: &u32, _threshold: Value) -> Bounds {
        if *self == Self::WrongBounds && heap == 3 { Bounds::exact(Value::win(1)) } else { Bounds::ANY }
    }

    fn is_impartial(&self) -> bool {
        use Heap::{NotNormal, OtherMoves, Sound, WrongNimber, WrongPartKey, WrongParts};

        matches!(self, Sound | NotNormal | OtherMoves | WrongParts | WrongNimber | WrongPartKey)
    }

    fn is_impartial_misere(&self) -> bool {
        matches!(self, Self::Misere | Self::NotMisere | Self::WrongMisereParts | Self::WrongTame)
    }

    /// Heaps of six and nine have the nimber 0; under misère play they count in a sum.
    fn split(&self, &heap: &u32, parts: &mut Vec<u32>) {
        parts.push(if *self == Self::WrongParts && heap == 5 { 4 } else { heap });
        if matches!(self, Self::WrongMisereParts) {
            parts.push(1);
        } else if !self.is_impartial_misere() {
            parts.extend([6, 9]);
        }
    }

    fn part_moves(&self, heap: &u32) -> impl Iterator<Item = u32> {
        let skipped = usize::from(*self == Self::OtherMoves && *heap == 5);
        self.moves(heap).skip(skipped)
    }

    fn mobility(&self, &heap: &u32) -> usize {
        if *self == Self::WrongMobility { 2 } else { self.moves(&heap).count() }
    }

    fn tame(&self, &heap: &u32) -> Option<Tame> {
        (heap < 7).then_some(Tame::heap(if *self == Self::WrongTame && heap == 4 { 2 } else { heap % 3 }))
    }

    fn part_key(&self, &heap: &u32) -> Option<u128> {
        Some(heap.into())
    }

    fn part_from_key(&self, key: u128) -> Option<u32> {
        if *self == Self::WrongPartKey && key == 4 { None } else { u32::try_from(key).ok() }
    }

    fn nimber(&self, &heap: &u32) -> Option<u32> {
        (heap < 7).then_some(if *self == Self::WrongNimber && heap == 4 { 2 } else { heap % 3 })
    }
}

#[test]
fn each_broken_law_is_found() {
    assert_eq!(check(&Heap::Sound, 50, 1), Ok(()));
    assert_eq!(check(&Heap::Endless, 50, 1), Err(BrokenLaw::Repeats { position: 6, before: 2, plies: 3 }));
    assert_eq!(check(&Heap::IllegalMoves, 50, 1), Err(BrokenLaw::Illegal { from: 3, position: 77 }));
    assert_eq!(check(&Heap::MovesTwice, 50, 1), Err(BrokenLaw::Twice { position: 9 }));
    assert_eq!(check(&Heap::RestlessForm, 50, 1), Err(BrokenLaw::Restless { position: 9, canonical: 8 }));
    let (value, other) = (Value::win(3), Value::win(1));
    assert_eq!(check(&Heap::UnequalForm, 50, 1), Err(BrokenLaw::Unequal { position: 4, canonical: 1, value, other }));
    let (position, best) = (2, Value::loss(2));
    assert_eq!(check(&Heap::NoBestCandidate, 50, 1), Err(BrokenLaw::NoBestCandidate { position, value: other, best }));
    assert!(matches!(check(&Heap::BadCandidates, 50, 1), Err(BrokenLaw::NoMove { .. })));
    assert_eq!(check(&Heap::LongKeys, 50, 1), Err(BrokenLaw::LongKey { position: 9, key: 9, bits: 3 }));
    assert!(matches!(check(&Heap::SameKeys, 50, 1), Err(BrokenLaw::SameKey { .. })));
    let (moves, mobility) = (0, 2);
    assert_eq!(check(&Heap::WrongMobility, 50, 1), Err(BrokenLaw::WrongMobility { position: 0, moves, mobility }));
    assert_eq!(check(&Heap::OtherMoves, 50, 1), Err(BrokenLaw::OtherMoves { part: 5, moves: 2 }));
    let outcome = Outcome::Win;
    assert_eq!(check(&Heap::NotNormal, 50, 1), Err(BrokenLaw::NotNormal { position: 0, outcome }));
    let parts = vec![4, 6, 9];
    assert_eq!(check(&Heap::WrongParts, 50, 1), Err(BrokenLaw::WrongParts { position: 5, parts, nimber: 2, sum: 1 }));
    assert_eq!(check(&Heap::WrongNimber, 50, 1), Err(BrokenLaw::WrongNimber { part: 4, nimber: 1, claimed: 2 }));
    let found = check(&Heap::WrongPartKey, 50, 1);
    assert_eq!(found, Err(BrokenLaw::WrongPartKey { part: 4, key: 4, read: None }));
    assert_eq!(check(&Heap::Misere, 50, 1), Ok(()));
    let found = check(&Heap::SameLayer, 50, 1);
    assert!(matches!(found, Err(BrokenLaw::NotLowered { layer: 4, after: Some(4), .. })), "{found:?}");
    let (layer, other) = (Some(7), Some(4));
    assert_eq!(
        check(&Heap::LayerOfForm, 50, 1),
        Err(BrokenLaw::OtherLayer { position: 7, canonical: 4, layer, other })
    );
    assert_eq!(check(&Heap::WrongKey, 50, 1), Err(BrokenLaw::WrongKey { position: 4, key: 4, read: 1 }));
    let (position, outcome) = (0, Outcome::Loss);
    assert_eq!(check(&Heap::NotMisere, 50, 1), Err(BrokenLaw::NotMisere { position, outcome }));
    assert!(matches!(check(&Heap::WrongMisereParts, 50, 1), Err(BrokenLaw::WrongMisereParts { .. })));
    assert_eq!(check(&Heap::WrongTame, 50, 1), Err(BrokenLaw::WrongTame { part: 4, heap: 0 }));
    let bounds = Bounds::exact(Value::win(1));
    assert_eq!(
        check(&Heap::WrongBounds, 50, 1),
        Err(BrokenLaw::OutOfBounds { position: 3, value: Value::loss(2), bounds })
    );
}

#[test]
fn a_stopped_solve_returns_an_error() {
    use balpan::{AlphaBeta, Goal, Minimax, Solver, Stopped, Watch, solve_with};

    /// A game too long for plain minimax.
    struct Long;

    impl Game for Long {
        type Position = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            0
        }

        fn moves(&self, &plies: &u32) -> impl Iterator<Item = u32> {
            0..if plies < 60 { 2 } else { 0 }
        }

        fn play(&self, plies: &u32, _mv: u32) -> u32 {
            plies + 1
        }

        /// Without the table, only the whole tree yields the value.
        fn is_cacheable(&self, _plies: &u32) -> bool {
            false
        }
    }

    let watch = Watch::default();
    watch.stop();
    assert_eq!(Minimax::new(&Long, &watch).value(&0), Err(Stopped::Interrupted));
    let mut solver = AlphaBeta::new(&Long, 0, &watch);
    assert_eq!(solve_with(&Long, &0, Goal::MoveOutcomes, &mut solver, &watch), Err(Stopped::Interrupted));
    assert!(solver.positions_searched() < 10_000);
}

/// Steps around a circle. The layers of its places are equal, or fall until the circle closes.
struct Circle {
    has_equal_layers: bool,
}

impl Game for Circle {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
        1..3
    }

    fn play(&self, place: &u32, step: u32) -> u32 {
        (place + step) % 5
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn layer(&self, &place: &u32) -> Option<u32> {
        Some(if self.has_equal_layers { 7 } else { 7 - place })
    }
}

#[test]
fn layers_may_stay_equal_but_not_rise_where_play_may_repeat() {
    assert_eq!(check(&Circle { has_equal_layers: true }, 5, 1), Ok(()));
    let found = check(&Circle { has_equal_layers: false }, 5, 1);
    assert!(matches!(found, Err(BrokenLaw::NotLowered { layer: 3 | 4, .. })), "{found:?}");
}
