//! The words of a game tree: winners, cuts and their reasons.

use balpan::Value;
use balpan::tree::{Cut, Reason, Step};
use balpan_games::{Lang, PlayerName, phrases};

use super::view::{Relation, SearchState, relation};
use super::{GameTree, Verdict};
use crate::words;

phrases! {
    /// The label of a position where play has ended.
    end: "the end", "끝";
    fold: "fold", "접기";
    /// Moves that the search cuts, with the reason.
    passed_over(moves: &str, reason: &str): "{moves}  not looked at: {reason}", "{moves}  보지 않음: {reason}";
    turn(who: &str): "{who} to move", "{who} 차례";
    /// The rule by which the player to move at a level selects among the values below.
    takes_best(who: &str): "takes {who}'s best", "{who}의 최선을 고릅니다";
    draw: "draw", "무승부";
    a_draw: "a draw", "무승부";
    badge_win(who: &str): "{who} wins", "{who} 승";
    badge_win_in(who: &str, n: u32): "{who} in {n}", "{who} {n}수 승";
    badge_win_by(who: &str, n: u32): "{who} by {n}", "{who} {n}점 승";
    wins(who: &str): "{who} wins", "{who} 이깁니다";
    wins_in(who: &str, plies: &str): "{who} wins in {plies}", "{who} {plies} 만에 이깁니다";
    wins_by(who: &str, points: u32): "{who} wins by {points}", "{who} {points}점 차로 이깁니다";
    at_least(badge: &str, root: &str): "{badge} or better for {root}", "{root}에게 적어도 {badge}";
    at_most(badge: &str, root: &str): "{badge} or worse for {root}", "{root}에게 기껏해야 {badge}";
    extent_searched(extent: &str, visited: usize):
        "{extent}; alpha-beta visits {visited}",
        "{extent}, 알파베타가 방문한 국면 {visited}개";
    root: "the root", "뿌리";
    after(mv: &str): "after {mv}", "{mv} 다음";

    legend_badge(first: &str, subject: &str):
        "“{first} in 3”: {subject} wins in 3 plies if both play their best. Bold: a move that gives its value.",
        "“{first} 3수 승”: 서로 최선을 다하면 {subject} 3수 만에 이깁니다. 굵은 선: 값을 정하는 수.";
    legend_score_badge(first: &str, subject: &str):
        "“{first} by 3”: {subject} wins by 3 if both play their best. Bold: a move that gives its value.",
        "“{first} 3점 승”: 서로 최선을 다하면 {subject} 3점 차로 이깁니다. 굵은 선: 값을 정하는 수.";
    legend_turns(who: &str):
        "“→ {who}”: who is to move after the move, where a move may keep the turn.",
        "“→ {who}”: 그 수 다음에 둘 사람. 한 사람이 이어서 둘 수도 있습니다.";
    legend_folded:
        "“+12”: twelve moves that are not drawn; the value was found by a solver.",
        "“+12”: 그리지 않은 수 열두 개. 값은 따로 탐색해 구했습니다.";
    legend_visits(first: &str, second: &str):
        "Numbers: the order of visits. α, β: what {first}, and what {second}, can have elsewhere already.",
        "번호: 방문 순서. α, β: {first} 그리고 {second} 이미 다른 곳에서 확보한 값.";
    legend_bounds(root: &str):
        "≥, ≤: at least, at most so good for {root}. Dashed: not looked at.",
        "≥, ≤: {root}에게 적어도 / 기껏해야 그만큼 좋습니다. 점선: 보지 않았습니다.";
    best_move: "a best move", "최선의 수";
    giving_move: "the move that gives the value", "값을 정하는 수";
    key_badge(star: &str, first: &str, subject: &str):
        "*: {star}. {first} in 3: {subject} wins in 3 plies if both play their best.",
        "*: {star}. {first} 3수 승: 서로 최선을 다하면 {subject} 3수 만에 이깁니다.";
    key_score_badge(star: &str, first: &str, subject: &str):
        "*: {star}. {first} by 3: {subject} wins by 3 if both play their best.",
        "*: {star}. {first} 3점 승: 서로 최선을 다하면 {subject} 3점 차로 이깁니다.";
    key_search(first: &str, second: &str, root: &str):
        "(1), (2), ..: the order of visits. α, β: what {first}, and what {second}, can have elsewhere already. ≥, ≤: at least, \
         at most so good for {root}.",
        "(1), (2), ..: 방문 순서. α, β: {first}, 그리고 {second} 이미 다른 곳에서 확보한 값. ≥, ≤: {root}에게 적어도 / 기껏해야 \
         그만큼 좋습니다.";

    has_draw(who: &str):
        "{who} already has a draw elsewhere",
        "{who} 이미 다른 곳에서 무승부를 확보했습니다";
    has_win(who: &str, plies: &str):
        "{who} already wins in {plies} elsewhere",
        "{who} 이미 다른 곳에서 {plies} 만의 승리를 확보했습니다";
    has_loss(who: &str, plies: &str):
        "{who} already holds out for {plies} elsewhere",
        "{who} 이미 다른 곳에서 {plies}까지 버틸 수 있습니다";
    has_score(who: &str, n: u32):
        "{who} already wins by {n} elsewhere",
        "{who} 이미 다른 곳에서 {n}점 차 승리를 확보했습니다";
    has_loss_by(who: &str, n: u32):
        "{who} already loses by only {n} elsewhere",
        "{who} 이미 다른 곳에서 {n}점 차 패배에 그칠 수 있습니다";
    gets_score(who: &str, n: u32): "here {who} wins by {n} or more", "여기서는 {who} {n}점 차 이상으로 이깁니다";
    gets_loss_by(who: &str, n: u32): "here {who} loses by {n} or less", "여기서는 {who} 많아야 {n}점 차로 집니다";
    gets_draw(who: &str): "here {who} gets a draw or better", "여기서는 {who} 무승부 이상을 얻습니다";
    gets_win(who: &str, plies: &str): "here {who} wins in {plies} or sooner", "여기서는 {who} {plies} 안에 이깁니다";
    gets_loss(who: &str, plies: &str): "here {who} holds out for {plies} or more", "여기서는 {who} {plies} 이상 버팁니다";
    cut_at_once(who: &str): "{who} wins at once: nothing is better.", "{who} 바로 이깁니다. 더 좋은 수는 없습니다.";
    cut_elsewhere(has: &str, gets: &str, other: &str):
        "{has}; {gets}, so {other} does not come here.",
        "{has}. {gets}. 그래서 {other} 이리로 오지 않습니다.";
    cut_no_sooner(has: &str):
        "{has}; nothing here can be sooner.",
        "{has}. 여기서는 더 빨리 이길 수 없습니다.";

    before_search: "Before the search.", "탐색을 시작하기 전입니다.";
    search_begins:
        "The search begins: neither player has anything yet.",
        "탐색을 시작합니다. 아직 누구도 확보한 것이 없습니다.";
    visit(order: usize, who: &str, mv: &str, window: &str):
        "Visit {order}: {who} tries {mv}. {window}.",
        "{order}번째 방문: {who} {mv} 수를 시도합니다. {window}.";
    play_ended(order: usize, value: &str):
        "Play has ended at {order}: {value}.",
        "{order}번에서 게임이 끝났습니다: {value}.";
    search_done(value: &str): "The search is done: {value}.", "탐색이 끝났습니다: {value}.";
    hands_back(order: usize, value: &str):
        "{order} hands back its value: {value}.",
        "{order}번의 값을 위로 넘깁니다: {value}.";
    cut_at(order: usize, moves: &str, reason: &str):
        "Cut at {order}, without a look at {moves}: {reason}",
        "{order}번에서 가지를 칩니다({moves}). {reason}";
}

/// The forms of a player's name in sentences.
struct Player {
    plain: String,
    /// The name as the subject of a sentence, and as its topic; in Korean with a particle.
    subject: String,
    topic: String,
}

/// A player's name in a sentence: `X`, `Left`, `the first player`.
fn player(lang: Lang, name: PlayerName) -> Player {
    let same = |plain: String| Player { subject: plain.clone(), topic: plain.clone(), plain };
    match lang {
        Lang::En if name.is_by_turn() => same(format!("the {name}")),
        Lang::En => same(name.to_string()),
        Lang::Ko => {
            let words::Name { plain, subject, .. } = words::name(lang, name, name.index());
            let topic = format!("{plain}{}", if subject.ends_with('이') { "은" } else { "는" });
            Player { plain: plain.to_owned(), subject: subject.to_owned(), topic }
        }
    }
}

/// A player's short name: `X`, `1st`.
pub(crate) fn short(lang: Lang, name: PlayerName) -> String {
    match (lang, name) {
        (Lang::En, PlayerName::First) => "1st".to_owned(),
        (Lang::En, PlayerName::Second) => "2nd".to_owned(),
        _ => player(lang, name).plain,
    }
}

fn plies(lang: Lang, n: u32) -> String {
    lang.pick(format!("{n} {}", if n == 1 { "ply" } else { "plies" }), format!("{n}수"))
}

/// The short form of a verdict: `X in 3`, `draw`, `X wins`.
pub(crate) fn badge(lang: Lang, verdict: Verdict) -> String {
    match verdict.winner.map(|winner| short(lang, winner)) {
        None => draw(lang).to_owned(),
        Some(winner) if verdict.score.is_some() => badge_win_by(lang, &winner, verdict.points()),
        Some(winner) if verdict.plies() == 0 => badge_win(lang, &winner),
        Some(winner) => badge_win_in(lang, &winner, verdict.plies()),
    }
}

/// The picture's heading: the game, its size, the player to move and the verdict as a sentence.
pub(crate) fn heading(lang: Lang, tree: &GameTree) -> String {
    let verdict = tree.nodes[0].verdict;
    let winner = verdict.winner.map(|winner| player(lang, winner).subject);
    let verdict = match winner {
        None => a_draw(lang).to_owned(),
        Some(winner) if verdict.score.is_some() => wins_by(lang, &winner, verdict.points()),
        Some(winner) if verdict.plies() == 0 => wins(lang, &winner),
        Some(winner) => wins_in(lang, &winner, &plies(lang, verdict.plies())),
    };
    let (game, size) = (&tree.game, &tree.size);
    if tree.nodes[0].over {
        return format!("{game} {size}: {verdict}");
    }
    format!("{game} {size}, {}: {verdict}", turn(lang, &player(lang, tree.players[0]).plain))
}

/// The size of the tree, and of the part that the search has visited.
pub(crate) fn extent(lang: Lang, tree: &GameTree, state: Option<&SearchState>) -> String {
    let n = tree.nodes.len();
    let positions = if n == 1 { "position" } else { "positions" };
    let depth = plies(lang, tree.depth as u32);
    let extent = match (tree.is_cut_short(), lang) {
        (false, Lang::En) => format!("all {n} {positions} to the end of play"),
        (false, Lang::Ko) => format!("끝까지의 모든 국면 {n}개"),
        (true, Lang::En) => format!("{n} {positions}, {depth} deep"),
        (true, Lang::Ko) => format!("{depth} 깊이까지 국면 {n}개"),
    };
    match state {
        None => extent,
        Some(state) => extent_searched(lang, &extent, state.visited()),
    }
}

/// The move that leads to a node; with the player to move there, where a move may keep the turn.
pub(crate) fn move_label(lang: Lang, tree: &GameTree, node: usize) -> String {
    let data = &tree.nodes[node];
    match &data.mv {
        Some(mv) if tree.keeps_turns && !data.over => format!("{mv} → {}", short(lang, data.to_move)),
        _ => data.move_text().to_owned(),
    }
}

/// The players to move at a level, where they differ.
pub(crate) fn both_to_move(lang: Lang, tree: &GameTree) -> String {
    let [first, second] = tree.players.map(|name| short(lang, name));
    lang.pick(format!("{first} or {second}"), format!("{first} / {second}"))
}

pub(crate) fn to_move(lang: Lang, name: PlayerName) -> String {
    turn(lang, &short(lang, name))
}

/// A player's short name, alone and as the subject of a sentence.
fn short_subject(lang: Lang, name: PlayerName) -> [String; 2] {
    let short = short(lang, name);
    [short.clone(), lang.pick(short, player(lang, name).subject)]
}

/// The explanations of a picture's marks.
pub(crate) fn legend(lang: Lang, tree: &GameTree, searched: bool) -> Vec<String> {
    let [name, subject] = short_subject(lang, tree.players[0]);
    let badge = if tree.has_scores { legend_score_badge } else { legend_badge };
    let mut lines = vec![badge(lang, &name, &subject)];
    if tree.keeps_turns {
        lines.push(legend_turns(lang, &name));
    }
    if tree.is_cut_short() {
        lines.push(legend_folded(lang).to_owned());
    }
    if searched {
        let [first, second] = tree.players.map(|name| player(lang, name));
        lines.push(legend_visits(lang, &first.subject, &second.subject));
        lines.push(legend_bounds(lang, &first.plain));
    }
    lines
}

/// The explanations of the marks of a tree in text.
pub(crate) fn key(lang: Lang, tree: &GameTree, searched: bool) -> Vec<String> {
    let [name, subject] = short_subject(lang, tree.players[0]);
    let star = if searched { giving_move(lang) } else { best_move(lang) };
    let badge = if tree.has_scores { key_score_badge } else { key_badge };
    let mut lines = vec![badge(lang, star, &name, &subject)];
    if searched {
        let [first, second] = tree.players.map(|name| player(lang, name));
        lines.push(key_search(lang, &first.subject, &second.subject, &first.plain));
    }
    lines
}

/// The value that the player to move at a node is sure of elsewhere.
fn has(lang: Lang, tree: &GameTree, value: Value, node: usize) -> String {
    let (verdict, who) = (tree.verdict(value, node), tree.nodes[node].to_move);
    let (name, plies) = (player(lang, who).topic, plies(lang, verdict.plies()));
    match verdict.winner {
        None => has_draw(lang, &name),
        Some(winner) if verdict.score.is_some() => {
            let phrase = if winner == who { has_score } else { has_loss_by };
            phrase(lang, &name, verdict.points())
        }
        Some(winner) if winner == who => has_win(lang, &name, &plies),
        Some(_) => has_loss(lang, &name, &plies),
    }
}

/// The value that the player to move is sure of at this node.
fn gets(lang: Lang, tree: &GameTree, value: Value, node: usize) -> String {
    let (verdict, who) = (tree.verdict(value, node), tree.nodes[node].to_move);
    let (name, plies) = (player(lang, who).subject, plies(lang, verdict.plies()));
    match verdict.winner {
        None => gets_draw(lang, &name),
        Some(winner) if verdict.score.is_some() => {
            let phrase = if winner == who { gets_score } else { gets_loss_by };
            phrase(lang, &name, verdict.points())
        }
        Some(winner) if winner == who => gets_win(lang, &name, &plies),
        Some(_) => gets_loss(lang, &name, &plies),
    }
}

/// Capitalises the first letter of a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The reason of a cut, in whole sentences.
pub(crate) fn reason(lang: Lang, tree: &GameTree, state: &SearchState, cut: &Cut) -> String {
    let at = |node: usize| format!(" ({})", state.order(node));
    let text = match cut.reason {
        Reason::AtOnce => cut_at_once(lang, &player(lang, tree.nodes[cut.node].to_move).subject),
        Reason::Elsewhere(bound) => {
            let has = has(lang, tree, bound.there, bound.at) + &at(bound.by);
            // At the time of the cut, the node's value is the best of the moves before the cut.
            let found = |child: &usize| {
                let (value, _) = state.returned(tree, *child)?;
                Some(tree.nodes[*child].turn.to_parent(value))
            };
            let best = tree.nodes[cut.node].children.iter().filter_map(found).max().unwrap_or(bound.value);
            let other = player(lang, tree.players[1 - tree.nodes[cut.node].mover]).topic;
            cut_elsewhere(lang, &has, &gets(lang, tree, best, cut.node), &other)
        }
        Reason::NoSooner(bound) => cut_no_sooner(lang, &(has(lang, tree, bound.there, bound.at) + &at(bound.by))),
    };
    capital(&text)
}

/// A value that the search returns, with its bound: `draw`, `X in 3 or better for X`.
fn returned_value(lang: Lang, tree: &GameTree, verdict: Verdict, relation: Relation) -> String {
    let badge = badge(lang, verdict);
    let root = player(lang, tree.players[0]).plain;
    match relation {
        Relation::Exactly => badge,
        Relation::AtLeast => at_least(lang, &badge, &root),
        Relation::AtMost => at_most(lang, &badge, &root),
    }
}

/// The alpha-beta window of a node: `α draw  β –`.
pub(crate) fn window(lang: Lang, tree: &GameTree, state: &SearchState, node: usize) -> Option<String> {
    let window = state.visits[node]?.window;
    let side = |bound: Option<Value>| bound.map_or("–".to_owned(), |value| badge(lang, tree.verdict(value, node)));
    let (alpha, beta) =
        if tree.nodes[node].mover == 0 { (window.alpha, window.beta) } else { (window.beta, window.alpha) };
    Some(format!("α {}  β {}", side(alpha), side(beta)))
}

/// A step of the search, in a sentence.
pub(crate) fn step(lang: Lang, tree: &GameTree, state: &SearchState) -> String {
    let Some(now) = state.now else {
        return before_search(lang).to_owned();
    };
    let data = &tree.nodes[now.node()];
    let order = state.order(now.node());
    match now {
        Step::Enter { .. } if data.parent.is_none() => search_begins(lang).to_owned(),
        Step::Enter { node, .. } => {
            let window = window(lang, tree, state, *node).unwrap_or_default().replace("  ", ", ");
            visit(
                lang,
                order,
                &player(lang, tree.nodes[data.parent.unwrap_or(0)].to_move).subject,
                data.move_text(),
                &window,
            )
        }
        Step::Leave { value, known, .. } => {
            let relation = relation(*value, *known, data.mover);
            let value = returned_value(lang, tree, tree.verdict(*value, now.node()), relation);
            match (data.over, data.parent) {
                (true, _) => play_ended(lang, order, &value),
                (false, None) => search_done(lang, &value),
                (false, Some(_)) => hands_back(lang, order, &value),
            }
        }
        Step::Cut(cut) => {
            let moves: Vec<_> = cut.unvisited.iter().map(|node| tree.nodes[*node].move_text()).collect();
            cut_at(lang, order, &moves.join("  "), &reason(lang, tree, state, cut))
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
    let place = data.mv.as_ref().map_or_else(|| root(lang).to_owned(), |mv| after(lang, mv));
    let turn = if data.over { end(lang).to_owned() } else { turn(lang, &player(lang, data.to_move).plain) };
    match found {
        Some((verdict, relation)) => format!("{place}: {turn}, {}", returned_value(lang, tree, verdict, relation)),
        None => format!("{place}: {turn}"),
    }
}

/// Returns the label of a cut: a, b, .., z, a1, ..
pub(crate) fn letter(n: usize) -> String {
    let letter = char::from(b'a' + (n % 26) as u8);
    if n < 26 { letter.to_string() } else { format!("{letter}{}", n / 26) }
}
