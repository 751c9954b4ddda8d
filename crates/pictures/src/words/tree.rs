//! The words of a game tree: winners, cuts and their reasons.

use balpan::Value;
use balpan::tree::{Cut, Reason, Step};
use balpan_games::PlayerName;

use super::{Lang, phrases};
use crate::tree::game_tree::{GameTree, Verdict};
use crate::tree::search_state::{Relation, SearchState, relation};

phrases! {
    /// The label of a position where play has ended.
    end: "the end", "끝";
    fold: "fold", "접기";
    /// Moves that the search cuts, with the reason.
    passed_over(moves: &str, reason: &str): "{moves}  not looked at: {reason}", "{moves}  보지 않음: {reason}";
}

/// A player's name in a sentence: `X`, `Left`, `the first player`.
pub(crate) fn player(lang: Lang, name: PlayerName) -> String {
    match lang {
        Lang::En if name.is_by_turn() => format!("the {name}"),
        Lang::En => name.to_string(),
        Lang::Ko => super::players::name(lang, name, name.index()).plain.to_owned(),
    }
}

/// A player's short name: `X`, `1st`.
pub(crate) fn short(lang: Lang, name: PlayerName) -> String {
    match (lang, name) {
        (Lang::En, PlayerName::First) => "1st".to_owned(),
        (Lang::En, PlayerName::Second) => "2nd".to_owned(),
        _ => player(lang, name),
    }
}

/// Whether a Korean name ends in a consonant.
fn ends_in_a_consonant(name: &str) -> bool {
    matches!(name, "왼쪽 편" | "오른쪽 편" | "선공" | "후공")
}

/// A Korean name as the topic: `A는`, `선공은`.
fn topic(name: &str) -> String {
    format!("{name}{}", if ends_in_a_consonant(name) { "은" } else { "는" })
}

/// A Korean name as the subject: `A가`, `선공이`.
fn subject(name: &str) -> String {
    format!("{name}{}", if ends_in_a_consonant(name) { "이" } else { "가" })
}

/// The short form of a verdict: `X in 3`, `draw`, `X wins`.
pub(crate) fn badge(lang: Lang, tree: &GameTree, verdict: Verdict) -> String {
    let Some(winner) = verdict.winner else {
        return lang.pick("draw", "무승부").to_owned();
    };
    let name = short(lang, tree.players[winner]);
    match verdict.plies {
        0 => lang.pick(format!("{name} wins"), format!("{name} 승")),
        plies => lang.pick(format!("{name} in {plies}"), format!("{name} {plies}수 승")),
    }
}

fn plies(n: u32) -> String {
    format!("{n} {}", if n == 1 { "ply" } else { "plies" })
}

/// A verdict as a sentence without its full stop: `X wins in 3 plies`.
pub(crate) fn verdict_text(lang: Lang, tree: &GameTree, verdict: Verdict) -> String {
    let Some(winner) = verdict.winner else {
        return lang.pick("a draw", "무승부").to_owned();
    };
    let name = player(lang, tree.players[winner]);
    match verdict.plies {
        0 => lang.pick(format!("{name} wins"), format!("{} 이깁니다", subject(&name))),
        n => lang.pick(format!("{name} wins in {}", plies(n)), format!("{} {n}수 만에 이깁니다", subject(&name))),
    }
}

/// The picture's heading: the game, its size, the player to move and the verdict.
pub(crate) fn heading(lang: Lang, tree: &GameTree) -> String {
    let verdict = tree.nodes[0].verdict();
    let mover = player(lang, tree.players[0]);
    let (game, size, verdict) = (&tree.game, &tree.size, verdict_text(lang, tree, verdict));
    if tree.nodes[0].over {
        return lang.pick(format!("{game} {size}: {verdict}"), format!("{game} {size}: {verdict}"));
    }
    lang.pick(format!("{game} {size}, {mover} to move: {verdict}"), format!("{game} {size}, {mover} 차례: {verdict}"))
}

/// The size of the tree, and of the part that the search has visited.
pub(crate) fn extent(lang: Lang, tree: &GameTree, state: Option<&SearchState>) -> String {
    let n = tree.positions();
    let positions = if n == 1 { "position" } else { "positions" };
    let depth = plies(tree.depth as u32);
    let to = match (tree.is_cut_short(), lang) {
        (false, Lang::En) => format!("all {n} {positions} to the end of play"),
        (false, Lang::Ko) => format!("끝까지의 모든 국면 {n}개"),
        (true, Lang::En) => format!("{n} {positions}, {depth} deep"),
        (true, Lang::Ko) => format!("{}수 깊이까지 국면 {n}개", tree.depth),
    };
    match state {
        None => to,
        Some(state) => {
            let visited = state.visited();
            lang.pick(format!("{to}; alpha-beta visits {visited}"), format!("{to}, 알파베타가 방문한 국면 {visited}개"))
        }
    }
}

pub(crate) fn to_move(lang: Lang, name: PlayerName) -> String {
    let name = short(lang, name);
    lang.pick(format!("{name} to move"), format!("{name} 차례"))
}

/// The rule by which the player to move at a level selects among the values below.
pub(crate) fn picks(lang: Lang, name: PlayerName) -> String {
    let name = short(lang, name);
    lang.pick(format!("takes {name}'s best"), format!("{name}의 최선을 고릅니다"))
}

/// The explanations of a picture's marks.
pub(crate) fn legend(lang: Lang, tree: &GameTree, searched: bool) -> Vec<String> {
    let [first, _] = tree.players.map(|name| short(lang, name));
    let mut lines = vec![lang.pick(
        format!("“{first} in 3”: {first} wins in 3 plies if both play their best. Bold: a move that gives its value."),
        format!("“{first} 3수 승”: 서로 최선을 다하면 {} 3수 만에 이깁니다. 굵은 선: 값을 정하는 수.", subject(&first)),
    )];
    if tree.is_cut_short() {
        lines.push(lang.pick(
            "“+12”: twelve moves that are not drawn; the value was found by a solver.".to_owned(),
            "“+12”: 그리지 않은 수 열두 개. 값은 따로 탐색해 구했습니다.".to_owned(),
        ));
    }
    if searched {
        let [first, second] = tree.players.map(|name| player(lang, name));
        lines.push(lang.pick(
            format!("Numbers: the order of visits. α, β: what {first}, and what {second}, can have elsewhere already."),
            format!(
                "번호: 방문 순서. α, β: {} 그리고 {} 이미 다른 곳에서 확보한 값.",
                subject(&first),
                subject(&second)
            ),
        ));
        lines.push(lang.pick(
            format!("≥, ≤: at least, at most so good for {first}. Dashed: not looked at."),
            format!("≥, ≤: {first}에게 적어도 / 기껏해야 그만큼 좋습니다. 점선: 보지 않았습니다."),
        ));
    }
    lines
}

/// The value that a player is sure of elsewhere; `value` is that of a node `depth` plies below the root.
fn has(lang: Lang, tree: &GameTree, value: Value, depth: usize) -> String {
    let verdict = Verdict::new(value, depth);
    let whose = depth % 2;
    let name = player(lang, tree.players[whose]);
    match verdict.winner {
        None => lang.pick(
            format!("{name} already has a draw elsewhere"),
            topic(&name) + " 이미 다른 곳에서 무승부를 확보했습니다",
        ),
        Some(winner) if winner == whose => lang.pick(
            format!("{name} already wins in {} elsewhere", plies(verdict.plies)),
            format!("{} 이미 다른 곳에서 {}수 만의 승리를 확보했습니다", topic(&name), verdict.plies),
        ),
        Some(_) => lang.pick(
            format!("{name} already holds out for {} elsewhere", plies(verdict.plies)),
            format!("{} 이미 다른 곳에서 {}수까지 버틸 수 있습니다", topic(&name), verdict.plies),
        ),
    }
}

/// The value that the player to move is sure of at this node.
fn gets(lang: Lang, tree: &GameTree, value: Value, depth: usize) -> String {
    let verdict = Verdict::new(value, depth);
    let whose = depth % 2;
    let name = player(lang, tree.players[whose]);
    match verdict.winner {
        None => lang.pick(
            format!("here {name} gets a draw or better"),
            format!("여기서는 {} 무승부 이상을 얻습니다", subject(&name)),
        ),
        Some(winner) if winner == whose => lang.pick(
            format!("here {name} wins in {} or sooner", plies(verdict.plies)),
            format!("여기서는 {} {}수 안에 이깁니다", subject(&name), verdict.plies),
        ),
        Some(_) => lang.pick(
            format!("here {name} holds out for {} or more", plies(verdict.plies)),
            format!("여기서는 {} {}수 이상 버팁니다", subject(&name), verdict.plies),
        ),
    }
}

/// Capitalises the first letter of a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The reason of a cut, in whole sentences.
pub(crate) fn reason(lang: Lang, tree: &GameTree, state: &SearchState, cut: &Cut) -> String {
    let depth = tree.nodes[cut.node].depth;
    let name = player(lang, tree.mover(cut.node));
    let at = |node: usize| format!(" ({})", state.order(node));
    let text = match cut.reason {
        Reason::AtOnce => lang.pick(
            format!("{name} wins at once: nothing is better."),
            format!("{} 바로 이깁니다. 더 좋은 수는 없습니다.", subject(&name)),
        ),
        Reason::Elsewhere(bound) => {
            let has = has(lang, tree, bound.there, tree.nodes[bound.at].depth) + &at(bound.by);
            // At the time of the cut, the node's value is the best of the moves before the cut.
            let best = tree.nodes[cut.node].children.iter().filter_map(|child| state.returned(tree, *child));
            let best = best.map(|(value, _)| value.to_parent()).max().unwrap_or(bound.value);
            let gets = gets(lang, tree, best, depth);
            let other = player(lang, tree.players[(depth + 1) % 2]);
            lang.pick(
                format!("{has}; {gets}, so {other} does not come here."),
                format!("{has}. {gets}. 그래서 {} 이리로 오지 않습니다.", topic(&other)),
            )
        }
        Reason::NoSooner(bound) => {
            let has = has(lang, tree, bound.there, tree.nodes[bound.at].depth) + &at(bound.by);
            lang.pick(
                format!("{has}; nothing here can be sooner."),
                format!("{has}. 여기서는 더 빨리 이길 수 없습니다."),
            )
        }
    };
    capital(&text)
}

/// A value that the search returns, with its bound: `draw`, `X in 3 or better for X`.
fn returned_value(lang: Lang, tree: &GameTree, verdict: Verdict, relation: Relation) -> String {
    let badge = badge(lang, tree, verdict);
    let root = player(lang, tree.players[0]);
    match relation {
        Relation::Exactly => badge,
        Relation::AtLeast => lang.pick(format!("{badge} or better for {root}"), format!("{root}에게 적어도 {badge}")),
        Relation::AtMost => lang.pick(format!("{badge} or worse for {root}"), format!("{root}에게 기껏해야 {badge}")),
    }
}

/// The alpha-beta window of a node: `α draw  β –`.
pub(crate) fn window(lang: Lang, tree: &GameTree, state: &SearchState, node: usize) -> Option<String> {
    let depth = tree.nodes[node].depth;
    let window = state.visits[node]?.window;
    let side =
        |bound: Option<Value>| bound.map_or("–".to_owned(), |value| badge(lang, tree, Verdict::new(value, depth)));
    let (alpha, beta) = if depth.is_multiple_of(2) { (window.alpha, window.beta) } else { (window.beta, window.alpha) };
    Some(format!("α {}  β {}", side(alpha), side(beta)))
}

/// A step of the search, in a sentence.
pub(crate) fn step(lang: Lang, tree: &GameTree, state: &SearchState) -> String {
    let Some(now) = state.now else {
        return lang.pick("Before the search.", "탐색을 시작하기 전입니다.").to_owned();
    };
    let node = now.node();
    let data = &tree.nodes[node];
    let (order, mv) = (state.order(node), &data.mv);
    let before = player(lang, tree.players[(data.depth + 1) % 2]);
    match now {
        Step::Enter { .. } if data.parent.is_none() => lang
            .pick(
                "The search begins: neither player has anything yet.",
                "탐색을 시작합니다. 아직 누구도 확보한 것이 없습니다.",
            )
            .to_owned(),
        Step::Enter { .. } => {
            let window = window(lang, tree, state, node).unwrap_or_default().replace("  ", ", ");
            lang.pick(
                format!("Visit {order}: {before} tries {mv}. {window}."),
                format!("{order}번째 방문: {} {mv} 수를 시도합니다. {window}.", subject(&before)),
            )
        }
        Step::Leave { value, known, .. } => {
            let back =
                returned_value(lang, tree, Verdict::new(*value, data.depth), relation(*value, *known, data.depth));
            match (data.over, data.parent.is_none()) {
                (true, _) => lang.pick(
                    format!("Play has ended at {order}: {back}."),
                    format!("{order}번에서 게임이 끝났습니다: {back}."),
                ),
                (false, true) => {
                    lang.pick(format!("The search is done: {back}."), format!("탐색이 끝났습니다: {back}."))
                }
                (false, false) => lang.pick(
                    format!("{order} hands back its value: {back}."),
                    format!("{order}번의 값을 위로 넘깁니다: {back}."),
                ),
            }
        }
        Step::Cut(cut) => {
            let moves: Vec<_> = cut.unvisited.iter().map(|node| tree.nodes[*node].mv.as_str()).collect();
            let moves = moves.join("  ");
            let reason = reason(lang, tree, state, cut);
            lang.pick(
                format!("Cut at {order}, without a options at {moves}: {reason}"),
                format!("{order}번에서 가지를 칩니다({moves}). {reason}"),
            )
        }
    }
}

/// A number of moves that are not drawn.
pub(crate) fn hidden(lang: Lang, n: usize) -> String {
    let moves = if n == 1 { "move" } else { "moves" };
    lang.pick(format!("{n} {moves} folded away"), format!("접힌 수 {n}개"))
}

/// The description of a node for screen readers: `after 1,2: O to move, draw`.
pub(crate) fn node(lang: Lang, tree: &GameTree, node: usize, found: Option<(Verdict, Relation)>) -> String {
    let data = &tree.nodes[node];
    let mover = player(lang, tree.mover(node));
    let after = match data.mv.as_str() {
        "" => lang.pick("the root".to_owned(), "뿌리".to_owned()),
        mv => lang.pick(format!("after {mv}"), format!("{mv} 다음")),
    };
    let turn =
        if data.over { end(lang).to_owned() } else { lang.pick(format!("{mover} to move"), format!("{mover} 차례")) };
    match found {
        Some((verdict, relation)) => format!("{after}: {turn}, {}", returned_value(lang, tree, verdict, relation)),
        None => format!("{after}: {turn}"),
    }
}

/// The explanations of the marks of a tree in text.
pub(crate) fn key(lang: Lang, tree: &GameTree, searched: bool) -> Vec<String> {
    let [first, _] = tree.players.map(|name| short(lang, name));
    let star = if searched {
        lang.pick("the move that gives the value", "값을 정하는 수")
    } else {
        lang.pick("a best move", "최선의 수")
    };
    let mut lines = vec![lang.pick(
        format!("*: {star}. {first} in 3: {first} wins in 3 plies if both play their best."),
        format!("*: {star}. {first} 3수 승: 서로 최선을 다하면 {} 3수 만에 이깁니다.", subject(&first)),
    )];
    if searched {
        let [first, second] = tree.players.map(|name| player(lang, name));
        lines.push(lang.pick(
            format!(
                "(1), (2), ..: the order of visits. α, β: what {first}, and what {second}, can have elsewhere already. \
                 ≥, ≤: at least, at most so good for {first}."
            ),
            format!(
                "(1), (2), ..: 방문 순서. α, β: {}, 그리고 {} 이미 다른 곳에서 확보한 값. ≥, ≤: {first}에게 적어도 / 기껏해야 그만큼 좋습니다.",
                subject(&first),
                subject(&second)
            ),
        ));
    }
    lines
}
