//! The words of a game tree: winners, cuts and their reasons.

use balpan::Value;
use balpan::tree::{Cut, Reason, Step};
use balpan_games::{Lang, PlayerName};

use super::view::{Relation, SearchState, relation};
use super::{GameTree, Verdict};
use crate::words;

balpan_messages::messages!("tree");

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
    let (n, depth) = (tree.nodes.len(), plies(lang, tree.depth as u32));
    let extent = if tree.is_cut_short() { positions_deep(lang, n, &depth) } else { all_positions(lang, n) };
    state.map_or(extent.clone(), |state| extent_searched(lang, &extent, state.visited()))
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

/// Capitalises the first letter of a sentence, unless it begins with the path of a file.
pub(crate) fn capital(text: &str) -> String {
    if text.split_whitespace().next().is_some_and(|word| word.trim_end_matches(['.', ',', ':']).contains(['.', '/'])) {
        return text.to_owned();
    }
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
