//! Messages about misère quotients and misère sums.

use balpan_games::Lang;

pub(crate) fn head(lang: Lang, game: &str, elements: usize, lost: usize) -> String {
    lang.pick(
        format!("The misère quotient of {game} has {elements} elements, {lost} of them lost for the player to move."),
        format!("{game}의 미제르 몫은 원소가 {elements}개이고, 그중 {lost}개는 둘 차례인 쪽이 집니다."),
    )
}

/// The order of the quotient of the first parts, after work that was stopped.
pub(crate) fn so_far(lang: Lang, game: &str, time: &str, parts: usize, elements: usize) -> String {
    lang.pick(
        format!(
            "After {time}, the whole misère quotient of {game} is not known yet; that of its first {parts} parts has \
             {elements} elements."
        ),
        format!(
            "{time} 동안 {game}의 미제르 몫을 다 알아내지 못했습니다. 처음 {parts}개 부분의 몫은 원소가 {elements}개입니다."
        ),
    )
}

pub(crate) fn tame(lang: Lang) -> &'static str {
    lang.pick("It is tame: a quotient of Nim.", "길들어 있습니다. 곧 님의 몫입니다.")
}

pub(crate) fn lost(lang: Lang) -> &'static str {
    lang.pick("Lost", "지는 원소")
}

pub(crate) fn elements_of_parts(lang: Lang) -> &'static str {
    lang.pick("Each part amounts to:", "각 부분이 해당하는 원소:")
}

pub(crate) fn letter(lang: Lang) -> &'static str {
    lang.pick("Letters stand for:", "글자가 뜻하는 것:")
}

pub(crate) fn orders(lang: Lang) -> &'static str {
    lang.pick("Elements, part by part:", "부분을 하나씩 더할 때 원소의 수:")
}

pub(crate) fn part(lang: Lang) -> &'static str {
    lang.pick("part", "부분")
}

pub(crate) fn element(lang: Lang) -> &'static str {
    lang.pick("element", "원소")
}

pub(crate) fn genus(lang: Lang) -> &'static str {
    lang.pick("genus", "종수")
}

pub(crate) fn games(lang: Lang, games: usize) -> String {
    lang.pick(
        format!("A sum of {games} misère games: who cannot move wins. The first player to move"),
        format!("미제르 게임 {games}개의 합: 둘 수 없는 쪽이 이깁니다. 선공 차례"),
    )
}

/// The position that a move leaves.
pub(crate) fn leaves(lang: Lang, game: &str, position: &str) -> String {
    lang.pick(format!("leaves {game} {position}"), format!("남는 국면 {game} {position}"))
}
