//! References and shared pointers to games are games.

use std::sync::Arc;

use crate::game::Game;
use crate::hints::Hints;
use crate::impartial::Impartial;
use crate::keyed::Keyed;
use crate::value::{Bounds, Outcome, Value};

/// Every capability of a pointer is that of the game it points to. A macro, as no function
/// can implement a trait for two types.
macro_rules! forwarded {
    ($pointer:ty, $($also:tt)*) => {
        impl<G: Game + $($also)*> Game for $pointer {
            type Position = G::Position;
            type Move = G::Move;

            fn start(&self) -> G::Position {
                (**self).start()
            }

            #[inline]
            fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
                (**self).moves(position)
            }

            #[inline]
            fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
                (**self).play(position, mv)
            }

            #[inline]
            fn is_over(&self, position: &G::Position) -> bool {
                (**self).is_over(position)
            }

            #[inline]
            fn end(&self, position: &G::Position) -> Outcome {
                (**self).end(position)
            }

            fn is_legal(&self, position: &G::Position) -> bool {
                (**self).is_legal(position)
            }
        }

        impl<G: Keyed + $($also)*> Keyed for $pointer {
            #[inline]
            fn canonical(&self, position: &G::Position) -> G::Position {
                (**self).canonical(position)
            }

            fn heap_bytes(&self, position: &G::Position) -> usize {
                (**self).heap_bytes(position)
            }

            #[inline]
            fn key_bits(&self) -> u32 {
                (**self).key_bits()
            }

            #[inline]
            fn key(&self, position: &G::Position) -> u128 {
                (**self).key(position)
            }

            #[inline]
            fn is_memorable(&self, position: &G::Position) -> bool {
                (**self).is_memorable(position)
            }

            fn position_of(&self, key: u128) -> Option<G::Position> {
                (**self).position_of(key)
            }

            fn layer(&self, position: &G::Position) -> Option<u32> {
                (**self).layer(position)
            }

            fn successors(&self, key: u128, found: impl FnMut(u32, u128)) -> Option<Result<usize, Outcome>> {
                (**self).successors(key, found)
            }
        }

        impl<G: Hints + $($also)*> Hints for $pointer {
            #[inline]
            fn bounds(&self, position: &G::Position, asked: Value) -> Bounds {
                (**self).bounds(position, asked)
            }

            #[inline]
            fn settle(&self, position: &G::Position, asked: Value) -> Option<Value> {
                (**self).settle(position, asked)
            }

            #[inline]
            fn candidates(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
                (**self).candidates(position)
            }

            #[inline]
            fn rank(&self, position: &G::Position, mv: G::Move, after: &G::Position) -> i32 {
                (**self).rank(position, mv, after)
            }
        }

        impl<G: Impartial + $($also)*> Impartial for $pointer {
            #[inline]
            fn is_impartial(&self) -> bool {
                (**self).is_impartial()
            }

            #[inline]
            fn is_impartial_misere(&self) -> bool {
                (**self).is_impartial_misere()
            }

            #[inline]
            fn split(&self, position: &G::Position, parts: &mut Vec<G::Position>) {
                (**self).split(position, parts);
            }

            #[inline]
            fn part_moves(&self, part: &G::Position) -> impl Iterator<Item = G::Move> {
                (**self).part_moves(part)
            }

            #[inline]
            fn mobility(&self, position: &G::Position) -> usize {
                (**self).mobility(position)
            }

            #[inline]
            fn nimber(&self, part: &G::Position) -> Option<u32> {
                (**self).nimber(part)
            }
        }
    };
}

forwarded!(&G, Sync);
forwarded!(Arc<G>, Send + Sync);
