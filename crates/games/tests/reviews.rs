//! Games looked back at: each move's worth is that of `solve`, and what was given away has its
//! mark.

use balpan::{Budget, Outcome, Watch};
use balpan_games::presets::preset;
use balpan_games::{Annotation, Answer, EngineCache, EngineOptions, PlayerName, Query, Record, ReportedValue, Review};

/// The review of a game, with every position solved.
fn review(name: &str, moves: &str) -> Review {
    let rules = preset(name).unwrap().unwrap();
    let record = Record::read(&rules.game().unwrap(), moves).unwrap();
    let mut engines = EngineCache::new(rules, EngineOptions::new(Budget { memory: 1 << 24, threads: 1 }));
    let mut solve = |position: &String| -> Answer {
        engines.ask(position, Query::default(), &Watch::default(), &mut |_| {}).unwrap()
    };
    let answers: Vec<Answer> = record.positions.iter().map(&mut solve).collect();
    let known: Vec<_> = answers.iter().map(Some).collect();
    let review = Review::new(name, Vec::new(), &record, &known);
    // What the table of a position says of the move played is what the position after it says.
    for (answer, mv) in answers.iter().zip(&review.moves) {
        let listed = answer.moves.iter().find(|of| of.text == mv.text).unwrap();
        assert_eq!(
            mv.worth,
            Some(ReportedValue { outcome: listed.outcome.unwrap(), remoteness: listed.remoteness, score: None })
        );
        assert_eq!(mv.mark.is_none(), answer.is_best(listed), "{}", mv.text);
    }
    assert!(review.complete);
    review
}

#[test]
fn what_was_given_away_is_marked() {
    // O answers the centre by an edge, X does not see the win, and then loses the draw.
    let review = review("tictactoe", "1,1 0,1 1,0 0,0 0,2 1,2 2,0");
    let marks: Vec<_> = review.moves.iter().map(|mv| mv.mark.map(Annotation::symbol)).collect();
    assert_eq!(marks[..2], [None, Some("?")]);
    assert_eq!(review.turning_points().next(), Some(1));
    assert_eq!(review.worth.map(|worth| worth.outcome), Some(Outcome::Draw));
    assert_eq!((review.over, review.winner), (true, Some(PlayerName::X)));
    assert_eq!(review.winner_after(review.moves.len()), Some((Some(0), Some(0))));
}

#[test]
fn plies_given_away_are_told_from_a_game_given_away() {
    let review = review("platforms", "0,1 3,4 0,2 2,4");
    for mv in &review.moves {
        let (before, worth) = (mv.before.unwrap(), mv.worth.unwrap());
        let expected = match (before.outcome, worth.outcome) {
            (Outcome::Win, Outcome::Loss) => Some(Annotation::Blunder),
            _ if before == worth => None,
            _ => Some(Annotation::Dubious),
        };
        assert_eq!(mv.mark, expected, "{}", mv.text);
    }
}

#[test]
fn what_is_not_known_is_left_open() {
    let rules = preset("tictactoe").unwrap().unwrap();
    let record = Record::read(&rules.game().unwrap(), "1,1 0,1").unwrap();
    let review = Review::new("tictactoe", Vec::new(), &record, &[None, None, None]);
    assert!(!review.complete && review.moves.iter().all(|mv| mv.mark.is_none() && mv.worth.is_none()));
    assert_eq!(review.winner_after(1), None);
}
