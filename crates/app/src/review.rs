//! Reviewing a game that was played.

use balpan_games::{Answer, Record, Review};

/// Reviews a game. `solve` answers one position; it returns `None` where it was stopped, and is not asked again. `rules` are
/// those that differ from the preset's.
///
/// # Errors
/// The errors of `solve`.
pub fn review<E>(
    name: &str,
    rules: Vec<String>,
    record: &Record,
    mut solve: impl FnMut(&str) -> Result<Option<Answer>, E>,
) -> Result<Review, E> {
    let mut answers = vec![None; record.positions.len()];
    // From the end: results of later positions speed up earlier ones, which take longer.
    for (ply, position) in record.positions.iter().enumerate().rev() {
        if record.end.is_some() && ply == record.moves.len() {
            continue;
        }
        match solve(position)? {
            Some(answer) => answers[ply] = Some(answer),
            None => break,
        }
    }
    let answers: Vec<_> = answers.iter().map(Option::as_ref).collect();
    Ok(Review::new(name, rules, record, &answers))
}
