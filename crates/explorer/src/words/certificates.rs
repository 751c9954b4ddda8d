//! Words about certificates.

use balpan_check::trusted::claim::Guarantee;
use balpan_check::untrusted::notation::Degree;
use balpan_games::PlayerName;

use super::players::{Name, name};
use super::position::plies;
use super::{Lang, grouped, phrases};
use crate::certificates::Statement;

phrases! {
    title: "Certificates", "증명서";
    lead:
        "Answers with a proof that anybody can check. This server has checked each of them with the checker alone, \
         which knows the rules and no solver.",
        "누구나 검사할 수 있는 증명이 딸린 답입니다. 이 서버는 규칙만 알고 풀이는 모르는 검사기로 하나하나 모두 \
         검사했습니다.";
    none:
        "There are none yet. `balpan prove` writes one to a file, and `balpan serve --certificates` shows those of a \
         folder:",
        "아직 없습니다. `balpan prove`가 증명서를 파일로 쓰고, `balpan serve --certificates`가 폴더에 있는 증명서를 보여 \
         줍니다:";
    download: "Download", "내려받기";
    walk: "Walk through it", "따라가 보기";
    play: "Play from here", "여기서부터 두어 보기";
    one: "Certificate", "증명서";
    all: "All certificates", "모든 증명서";
    how: "How it is shown", "어떻게 증명하는가";
    expected_claim: "the number of one of the certificate's claims, from 0,", "증명서에 있는 주장의 번호 (0부터)";
    previous: "◀ Back", "◀ 이전";
    next: "Forward ▶", "다음 ▶";
    whole: "The certificate", "증명서 처음으로";
    too_large:
        "It makes too many claims to be walked through here. It can be downloaded, and checked with `balpan check`.",
        "주장이 너무 많아 여기서 따라갈 수 없습니다. 내려받아 `balpan check`로 검사할 수 있습니다.";
    has_ended: "Play has ended.", "이미 끝난 국면입니다.";
    moves: "Each move, and its answer:", "수마다 이렇게 응수합니다:";
    searched: "The checker searches this ending by itself.", "여기서부터는 검사기가 스스로 끝까지 탐색합니다.";
    pairs:
        "Whenever one cell of a pair is marked, the other player marks the other one. Each line that could still be \
         made has both cells of a pair:",
        "한 쌍의 한 칸이 채워지면 상대가 나머지 칸을 채웁니다. 아직 만들 수 있는 줄마다 어느 쌍의 두 칸이 모두 있습니다:";
    enough:
        "nothing is left to show: the plies claimed have been played by then",
        "더 보일 것이 없습니다: 그만큼의 수를 둔 뒤입니다";
    mirrored: "mirrored, turned or simplified", "뒤집거나 돌리거나 간추린 모습";
    no_options: "There is no move.", "둘 수 있는 수가 없습니다.";
    answered_by: "is answered by", "응수:";
    found_itself: "the checker finds its nimber by itself", "그런디 수는 검사기가 스스로 구합니다";
    parts:
        "The nimbers of the parts add up to it, without carrying. Parts are seen in a mirror, turned or moved on the \
         board, and of the same part twice both are left out:",
        "부분들의 그런디 수를 XOR한 값입니다. 부분은 뒤집거나 돌리거나 판 위에서 옮긴 모습이며, 같은 부분이 둘이면 둘 다 \
         뺍니다:";
    no_parts: "Nothing is left: the nimber is 0.", "남는 부분이 없습니다: 그런디 수 0.";
    proved(claim: &str): "Proved: {claim}", "증명됨: {claim}";
    claim(n: usize): "claim {n}", "{n}번 주장";
    more(n: usize): "and {n} more", "그 밖에 {n}개";
    nimber_of_part(nimber: u32): "The nimber of this part is {nimber}.", "이 부분의 그런디 수는 {nimber}입니다.";
    has_nimber(nimber: u32): "has nimber {nimber}", "그런디 수 {nimber}";
    back_to(nimber: u32): "which has nimber {nimber}", "그런디 수가 다시 {nimber}입니다";
    claim_of(n: usize, last: usize): "Claim {n}, of 0 to {last}", "{n}번 주장 (0번부터 {last}번까지)";
    begins(claimer: &str): "{claimer} begins with", "{claimer} 처음에 두는 수:";
    nimber(n: u32): "The nimber is {n}.", "그런디 수는 {n}입니다.";
    draw: "It is a draw.", "무승부입니다.";
    wins_in_exactly(who: &str, plies: &str): "{who} wins in exactly {plies}.", "{who} 정확히 {plies} 만에 이깁니다.";
    gets_exactly(who: &str, score: i32): "{who} gets exactly {score}.", "{who} 정확히 {score}점을 얻습니다.";
    gets_at_least(who: &str, score: i32): "{who} gets at least {score}.", "{who} 적어도 {score}점을 얻습니다.";
    wins(who: &str): "{who} wins.", "{who} 이깁니다.";
    draws_or_wins(who: &str): "{who} draws or wins.", "{who} 비기거나 이깁니다.";
    wins_within(who: &str, plies: &str): "{who} wins within {plies}.", "{who} {plies} 안에 이깁니다.";
    no_loss_before(who: &str, plies: &str): "{who} does not lose before {plies}.", "{who} {plies} 전에는 지지 않습니다.";
    sure_to_win(who: &str): "{who} is sure to win.", "{who} 반드시 이길 수 있습니다.";
    sure_of_no_loss(who: &str): "{who} is sure not to lose.", "{who} 지지 않을 수 있습니다.";
    sure_to_win_within(who: &str, plies: &str):
        "{who} is sure to win within {plies}.",
        "{who} {plies} 안에 반드시 이길 수 있습니다.";
    sure_of_no_loss_before(who: &str, plies: &str):
        "{who} is sure not to lose before {plies}.",
        "{who} {plies} 전에는 지지 않을 수 있습니다.";
}

pub(crate) fn unchecked(lang: Lang, files: usize) -> String {
    match (lang, files) {
        (Lang::En, 1) => "1 more file is being checked.".to_owned(),
        (Lang::En, _) => format!("{files} more files are being checked."),
        (Lang::Ko, _) => format!("파일 {files}개를 더 검사하고 있습니다."),
    }
}

pub(crate) fn size(lang: Lang, claims: u64, bytes: usize) -> String {
    let (n, bytes) = (grouped(claims), grouped(bytes as u64));
    match (lang, claims) {
        (Lang::En, 1) => format!("1 claim, {bytes} bytes"),
        (Lang::En, _) => format!("{n} claims, {bytes} bytes"),
        (Lang::Ko, _) => format!("주장 {n}개, {bytes}바이트"),
    }
}

/// The name of a player, from the checker's.
pub(crate) fn player(lang: Lang, player: &str) -> Name {
    let same = |plain, subject| Name { plain, subject, role: plain };
    match player {
        "the player to move" => {
            lang.pick(same("the player to move", "The player to move"), same("둘 차례인 쪽", "둘 차례인 쪽이"))
        }
        "the other player" => lang.pick(same("the other player", "The other player"), same("상대", "상대가")),
        player => name(lang, PlayerName::from_name(player).unwrap_or(PlayerName::First), 0),
    }
}

/// A statement as a sentence. The players are the one to move and the other.
pub(crate) fn statement(lang: Lang, statement: Statement, players: [Name; 2]) -> String {
    let of = |mover: bool| players[usize::from(!mover)];
    match statement {
        Statement::Nimber(n) => nimber(lang, n),
        Statement::Draw => draw(lang).to_owned(),
        Statement::WinInExactly { mover, plies: n } => wins_in_exactly(lang, of(mover).subject, &plies(lang, n)),
        Statement::Score { mover, score } => gets_exactly(lang, of(mover).subject, score),
        Statement::Guarantee { mover, guarantee } => {
            let who = of(mover).subject;
            match guarantee.degree() {
                Some(Degree::Win) => wins(lang, who),
                Some(Degree::Draw) => draws_or_wins(lang, who),
                Some(Degree::WinWithin(n)) => wins_within(lang, who, &plies(lang, n)),
                Some(Degree::NoLossBefore(n)) => no_loss_before(lang, who, &plies(lang, n)),
                None => match guarantee.score() {
                    Some(score) => gets_at_least(lang, who, score),
                    None => lang.pick(format!("{who} {guarantee}."), format!("{}: {guarantee}.", of(mover).plain)),
                },
            }
        }
    }
}

/// A claim as a sentence about the claimer.
pub(crate) fn guarantee(lang: Lang, claimer: Name, sure: Guarantee) -> String {
    let who = claimer.subject;
    match sure.degree() {
        Some(Degree::WinWithin(n)) => sure_to_win_within(lang, who, &plies(lang, n)),
        Some(Degree::NoLossBefore(n)) => sure_of_no_loss_before(lang, who, &plies(lang, n)),
        Some(Degree::Win) => sure_to_win(lang, who),
        Some(Degree::Draw) | None => sure_of_no_loss(lang, who),
    }
}

/// The end of play after a move, with the winner if there is one.
pub(crate) fn ends(lang: Lang, winner: Option<Name>) -> String {
    match (lang, winner) {
        (Lang::En, Some(winner)) => format!("ends play: {} wins", winner.plain),
        (Lang::Ko, Some(winner)) => format!("여기서 끝나고 {} 이깁니다", winner.subject),
        (_, None) => lang.pick("ends play: a draw", "여기서 비기고 끝납니다").to_owned(),
    }
}

/// Left's moves elsewhere minus Right's.
pub(crate) fn moves_elsewhere(lang: Lang, lead: i32) -> String {
    let n = lead.unsigned_abs();
    let (player, korean) = if lead > 0 { ("Left", "왼쪽 편") } else { ("Right", "오른쪽 편") };
    let moves = if n == 1 { "move" } else { "moves" };
    lang.pick(
        format!(
            "{player} has {n} {moves} more elsewhere, in cells that are of no use to the other player and drawn filled."
        ),
        format!("{korean}에게는 다른 곳에 둘 수가 {n}수 더 있습니다. 상대에게 쓸모없는 그 칸들은 찬 칸으로 그립니다."),
    )
}

pub(crate) fn options(lang: Lang, nimber: u32) -> String {
    match (lang, nimber) {
        (Lang::En, 0) => "No option has it:".to_owned(),
        (Lang::En, _) => "No option has it, and each smaller one is some option's:".to_owned(),
        (Lang::Ko, 0) => format!("어느 수로도 {nimber}이 되지 않습니다:"),
        (Lang::Ko, n) => format!("어느 수로도 그런디 수 {n}에 이르지 않고, 더 작은 수에는 모두 이릅니다:"),
    }
}
