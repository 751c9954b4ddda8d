//! False claims, with every answer that the checker might accept.
//!
//! `BALPAN_POSITIONS` is the number of positions; `.ci/long` asks ten million.

use std::collections::HashMap;

use balpan::{Outcome, SplitMix, Value};
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::trusted::game::{Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::trusted::play::EndgameSearch;
use balpan_check::untrusted::answers::{Answers, FromText, Method, Question, Refutation};
use balpan_check::untrusted::meter::{Interrupt, Meter, Unmetered};
use balpan_check::{Result, walk};

use balpan_games::{FamilyGame, Task};

use crate::common::chance::game;
use crate::common::liar::Liar;
use crate::common::{Positions, chance, header};

/// Gives the same answer to every question.
struct Same(Method);

impl Answers for Same {
    fn method(&mut self, _: &Position, _: Guarantee) -> Result<Method> {
        Ok(self.0.clone())
    }

    fn reply(&mut self, _: &Question<'_>) -> Result<usize> {
        Ok(0)
    }

    fn part(&mut self, _: &Position, _: u32, _: &mut NimberClaims<'_>) -> Result<()> {
        Ok(())
    }

    fn refutation(&mut self, _: u32, _: &Move, _: &[Move], _: &mut NimberClaims<'_>) -> Result<Refutation> {
        Ok(Refutation::Reply(0))
    }

    fn nimber(&mut self, _: &Position) -> Result<u32> {
        Ok(0)
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Finds the values and nimbers of all positions that follow, by the family's own rules; `false` if
/// there are too many.
fn solve<G: Positions>(game: &G, at: &G::Position, known: &mut HashMap<G::Position, (Value, u32)>) -> bool {
    const MAX_POSITIONS: usize = 3_000;
    if known.contains_key(at) {
        return true;
    }
    let (mut best, mut met) = (None, Vec::new());
    for mv in game.moves(at) {
        let after = game.play(at, mv);
        if !solve(game, &after, known) {
            return false;
        }
        let (value, nimber) = known[&after];
        best = best.max(Some(value.to_parent()));
        met.push(nimber);
    }
    let value = best.unwrap_or_else(|| Value::terminal(game.end(at)));
    let nimber = (0..).find(|nimber| !met.contains(nimber)).expect("a number that is not there");
    known.insert(at.clone(), (value, nimber));
    known.len() <= MAX_POSITIONS
}

/// False claims about a position of this value, for the player to move (`true`) and the other one.
fn false_claims(value: Value) -> Vec<(bool, Guarantee)> {
    let plies = value.remoteness().unwrap_or(0);
    let winner = match value.outcome() {
        Outcome::Draw => {
            let too_much = [Guarantee::WIN, Guarantee::win_within(40)];
            return too_much.into_iter().flat_map(|claim| [(true, claim), (false, claim)]).collect();
        }
        outcome => outcome == Outcome::Win,
    };
    let loser =
        [Guarantee::DRAW, Guarantee::WIN, Guarantee::no_loss_before(plies + 1), Guarantee::win_within(plies + 1)];
    let sooner = plies.checked_sub(1).map(|plies| (winner, Guarantee::win_within(plies)));
    loser.map(|claim| (!winner, claim)).into_iter().chain(sooner).collect()
}

struct Adversary<'a> {
    header: Header,
    random: &'a mut SplitMix,
}

impl Task for Adversary<'_> {
    /// The number of positions about which false claims were made.
    type Output = u64;

    fn run<G: FamilyGame>(self, game: &G) -> u64 {
        let Self { mut header, random } = self;
        let mut known = HashMap::new();
        if !solve(game, &game.start(), &mut known) {
            return 0;
        }
        header.claims = 1 << 20;
        for (position, &(value, nimber)) in &known {
            let text = game.for_checker(position);
            header.position = header.game.read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            header.settle = [0, 20, 1000][random.below(3)];
            let claims = false_claims(value);
            let (is_mover, guarantee) = claims[random.below(claims.len())];
            header.claim = Claim::Play(vec![(is_mover, guarantee)]);
            self::refuse(&header, &text, random);
            let rules = Unmetered::new(&*header.game);
            if !is_mover && rules.end(&header.position).is_none() {
                let mut search = EndgameSearch::new(&*header.game, Meter::unlimited());
                let found = search.can_force(&header.position, guarantee, 300);
                assert_ne!(found, Ok(Some(true)), "{text}: {guarantee}");
            }
            // The lemmas themselves.
            let [loses, cannot_win] = [value.outcome() == Outcome::Loss, value.outcome() != Outcome::Win];
            assert!(cannot_win || !rules.mover_cannot_win(&header.position), "{text}");
            assert!(loses || rules.outlasts_by(&header.position).is_none_or(|moves| moves < 0), "{text}");
            if rules.parts(&header.position).is_some() {
                header.settle = [0, 4, 12][random.below(3)];
                header.claim = Claim::Nimber((nimber + 1 + random.below(3) as u32) % 4.max(nimber + 1));
                if header.claim != Claim::Nimber(nimber) {
                    self::refuse(&header, &text, random);
                }
                header.claim = Claim::WinsByNimber(nimber == 0);
                self::refuse(&header, &text, random);
            }
        }
        known.len() as u64
    }
}

/// Checks that a false claim is refused, whatever is answered.
fn refuse(header: &Header, text: &str, random: &mut SplitMix) {
    let meter = || Meter::new(50_000, 1 << 30, Interrupt::default());
    let about = || format!("{text}: {:?} by {:?}, settle {}", header.claim, header.game.rules(), header.settle);
    let game = &*header.game;
    let answers: [&mut dyn Answers; 3] =
        [&mut Same(Method::Search), &mut Same(Method::Moves), &mut FromText::new(game, "")];
    for answers in answers {
        assert!(walk(header, answers, &meter(), 1).is_err(), "{}", about());
    }
    if chance(random, 20) {
        let seed = random.next_u64();
        assert!(walk(header, &mut Liar::new(game, seed), &meter(), 1).is_err(), "{}, by the liar {seed}", about());
    }
}

#[test]
fn false_claims_are_refused_whatever_is_answered() {
    let wanted = std::env::var("BALPAN_POSITIONS").map_or(20_000, |count| count.parse().unwrap());
    let (mut random, mut tested, mut games) = (SplitMix(11), 0, 0);
    while tested < wanted {
        let (game, rules, start) = game(&mut random, 20);
        let header = header(&game, &mut random);
        let job = Adversary { header, random: &mut random };
        let one = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.run(job)));
        tested += one.unwrap_or_else(|_| panic!("{rules}from {start}"));
        games += 1;
    }
    println!("{tested} positions of {games} games");
}
