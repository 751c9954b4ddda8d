//! The words of a census of positions.

use balpan_games::census::Census;

use super::{Lang, grouped, phrases};

phrases! {
    /// The explanation of the bars.
    legend:
        "plies to the end; blue: the player to move wins, orange: loses",
        "끝까지 남은 수. 파랑은 둘 차례인 쪽이 이기고, 주황은 집니다";
    /// The label of positions won in this number of plies.
    won(plies: u32): "won in {plies}", "{plies}수 만에 승";
    /// The label of positions lost in this number of plies.
    lost(plies: u32): "lost in {plies}", "{plies}수 만에 패";
}

/// The title: the game, and the number of its positions.
pub(crate) fn title(lang: Lang, census: &Census) -> String {
    let (game, positions) = (&census.game, grouped(census.positions));
    match (census.symmetry, census.positions) {
        (false, 1) => lang.pick(format!("{game}: 1 position"), format!("{game}: 국면 1개")),
        (false, _) => lang.pick(format!("{game}: {positions} positions"), format!("{game}: 국면 {positions}개")),
        (true, _) => lang.pick(
            format!("{game}: {positions} positions up to symmetry"),
            format!("{game}: 대칭을 하나로 쳐서 국면 {positions}개"),
        ),
    }
}

/// The numbers of positions by outcome.
pub(crate) fn outcomes(lang: Lang, census: &Census) -> String {
    let [win, draw, loss] = [census.outcomes.win, census.outcomes.draw, census.outcomes.loss].map(grouped);
    lang.pick(format!("{win} won, {draw} drawn, {loss} lost"), format!("승 {win}, 무 {draw}, 패 {loss}"))
}
