//! Compares the answers of the peers that take any game with balpan's:
//! `answers [POSITIONS]`, 200 of each game if left out.

use balpan::Game;
use balpan_peers::answers::{Tally, Visit, all_games, compare, positions};
use balpan_peers::peers::Peer;
use balpan_peers::peers::board_game::BoardGame;
use balpan_peers::peers::game_solver::GameSolver;
use balpan_peers::peers::minimax::{Iterative, Plain};

/// The table of a mebibyte that the crate gives if nothing is said.
type Small = Iterative<{ 1 << 20 }>;

struct Print {
    most: usize,
}

impl Visit for Print {
    fn visit<G: Game>(
        &mut self,
        name: &str,
        game: &'static G,
        last: usize,
        text: impl Fn(&G::Position) -> (String, u32),
    ) {
        let positions = positions(game, last, self.most, |position| text(position).1);
        println!("\n{name}, {} positions", positions.len());
        print(Plain::NAME, &compare::<Plain, G>(game, &positions, &text));
        print(Small::NAME, &compare::<Small, G>(game, &positions, &text));
        print(GameSolver::NAME, &compare::<GameSolver, G>(game, &positions, &text));
        print(BoardGame::NAME, &compare::<BoardGame, G>(game, &positions, &text));
    }
}

fn print(name: &str, tally: &Tally) {
    let [theirs, ours] = tally.times.map(|time| time.as_secs_f64());
    let found = if tally.agrees() {
        "agrees".to_owned()
    } else {
        let Tally { other_outcome, other_plies, blunders, detours, .. } = tally;
        format!("{other_outcome} other outcomes, {other_plies} other plies, {blunders} blunders, {detours} detours")
    };
    println!("  {name:<26} {theirs:>9.4} s, balpan {ours:>7.4} s, ratio {:>7.1}  {found}", theirs / ours);
    for example in &tally.examples {
        println!("      {example}");
    }
}

fn main() {
    let most = std::env::args().nth(1).and_then(|most| most.parse().ok()).unwrap_or(200);
    all_games(&mut Print { most });
}
