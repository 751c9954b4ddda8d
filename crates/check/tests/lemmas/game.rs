//! Games by the tests' own statement of their rules, their exact values, and the comparison with the checker.

use std::time::Instant;

use crate::checker::{Checker, Claim, Words};

/// The rules of a game, and the positions of it that are tested.
pub(crate) trait Game {
    /// Calls `visit` with all positions, each later than those that its moves lead to.
    fn for_each_position(&self, visit: &mut dyn FnMut(Words));

    /// Returns the outcome for the player to move if play has ended: 1 is a win, 0 a draw, -1 a loss.
    fn end(&self, at: Words) -> Option<i32>;

    /// Calls `visit` with the position after each move.
    fn for_each_move(&self, at: Words, visit: &mut dyn FnMut(Words));

    /// Returns the number of different indices.
    fn size(&self) -> usize;

    /// Returns a number of the position; `None` if it is none of those tested.
    fn index(&self, at: Words) -> Option<usize>;
}

/// The value of a win that has just happened. A win `n` plies later has a value less by `n`, and a loss its negative.
const WIN: i8 = 100;

/// Returns the value of each position for the player to move, by index.
pub(crate) fn values(game: &impl Game) -> Vec<i8> {
    let mut values = vec![0_i8; game.size()];
    game.for_each_position(&mut |at| {
        let mut value = game.end(at).map_or(i8::MIN, |end| end as i8 * WIN);
        if value == i8::MIN {
            game.for_each_move(at, &mut |after| {
                let reply = values[game.index(after).unwrap()];
                value = value.max(reply.signum() - reply);
            });
        }
        values[game.index(at).unwrap()] = value;
    });
    values
}

/// Compares the checker with the game on all positions: ends, moves, layers, and values of canonical positions. Returns
/// the number of positions.
pub(crate) fn check_game(checker: &Checker, game: &impl Game) -> u64 {
    let values = values(game);
    let (mut count, mut own, mut theirs) = (0, Vec::new(), Vec::new());
    game.for_each_position(&mut |at| {
        count += 1;
        let (end, layer) = (game.end(at), checker.layer(at));
        assert_eq!(checker.end(at), end, "end of {}", checker.write(at));
        if end.is_none() {
            own.clear();
            game.for_each_move(at, &mut |after| own.push(after));
            theirs.clear();
            checker.for_each_move(at, |after, end| {
                theirs.push(after);
                assert_eq!(end, game.end(after), "end of {} after {}", checker.write(after), checker.write(at));
                assert!(checker.layer(after) < layer, "layers of {} and {}", checker.write(at), checker.write(after));
            });
            for moves in [&mut own, &mut theirs] {
                moves.sort_unstable();
                moves.dedup();
            }
            assert_eq!(own, theirs, "moves of {}", checker.write(at));
        }
        let value = values[game.index(at).unwrap()];
        for claim in [Claim::WinWithin, Claim::NoLoss, Claim::Win] {
            let image = checker.canonical(at, claim);
            assert!(checker.layer(image) <= layer, "layer of {}", checker.write(at));
            match (claim, game.index(image)) {
                (Claim::Win, index) => assert!(index.is_none_or(|image| values[image].signum() == value.signum())),
                (_, index) => assert_eq!(values[index.unwrap()], value, "{}", checker.write(at)),
            }
        }
    });
    count
}

/// Prints what a test has counted, and how long it took.
pub(crate) fn report(test: &str, counts: &str, start: Instant) {
    println!("{test}: {counts}, {:.1} s", start.elapsed().as_secs_f64());
}
