//! A game's rules as sentences.

use super::Lang;
use crate::any::{AnyGame, FamilyRules};
use crate::heaps::Code;
use crate::lines::Marks;
use crate::placement::{Pieces, Rules};
use crate::walkers::Steps;
use crate::{heaps, lines, walkers};

/// Describes the rules of a game, one sentence each.
#[must_use]
pub fn describe_rules(lang: Lang, game: &AnyGame) -> Vec<String> {
    match game.rules() {
        FamilyRules::Walkers(rules) => walkers(lang, rules),
        FamilyRules::Placement(rules) => placement(lang, rules),
        FamilyRules::Lines(rules) => lines(lang, rules),
        FamilyRules::Heaps(rules) => heaps(lang, rules),
    }
}

fn walkers(lang: Lang, rules: &walkers::Rules) -> Vec<String> {
    let steps = match &rules.steps {
        Steps::Orthogonal => lang.pick(
            "A step goes one tile up, down, left or right.".to_owned(),
            "한 번에 상하좌우로 한 칸 움직입니다.".to_owned(),
        ),
        Steps::King => lang.pick(
            "A step goes one tile in any of the eight directions.".to_owned(),
            "한 번에 여덟 방향 중 하나로 한 칸 움직입니다.".to_owned(),
        ),
        Steps::Knight => lang.pick(
            "A step is a chess knight's leap, over whatever lies between.".to_owned(),
            "체스의 나이트처럼 뛰며, 사이에 무엇이 있든 상관없습니다.".to_owned(),
        ),
        Steps::Queen => lang.pick(
            "A step goes any way in one of the eight directions, over tiles only.".to_owned(),
            "여덟 방향 중 하나로 원하는 만큼 움직이되, 발판 위로만 지나갑니다.".to_owned(),
        ),
        Steps::Offsets(offsets) => {
            let listed: Vec<_> = offsets.iter().map(|(down, right)| format!("({down}, {right})")).collect();
            lang.pick(
                format!("A step goes by (rows down, columns right): {}.", listed.join(", ")),
                format!("한 번에 (아래로 행, 오른쪽으로 열)만큼 움직입니다: {}.", listed.join(", ")),
            )
        }
    };
    let share = if rules.share {
        lang.pick(
            "Both tokens may stand on one tile; when one leaves it, it vanishes under the other, who loses at their turn.",
            "두 말이 한 발판에 함께 설 수 있습니다. 하나가 떠나면 발판이 사라지고, 남은 쪽은 자기 차례에 집니다.",
        )
    } else {
        lang.pick("Tokens never share a tile.", "두 말이 한 발판에 함께 설 수 없습니다.")
    };
    let mut sentences = vec![
        lang.pick(
            "Each player has one token, A and B, and they step in turn.",
            "두 사람은 말 A와 B를 하나씩 가지고 번갈아 움직입니다.",
        )
        .to_owned(),
        steps,
        lang.pick("The tile that a token leaves vanishes.", "말이 떠난 발판은 사라집니다.").to_owned(),
        share.to_owned(),
    ];
    if rules.torus {
        let text = lang.pick(
            "The board's edges are joined: left to right, top to bottom.",
            "판의 가장자리는 이어져 있습니다: 왼쪽은 오른쪽과, 위는 아래와.",
        );
        sentences.push(text.to_owned());
    }
    sentences.push(lang.pick("Who cannot move loses.", "움직일 수 없는 쪽이 집니다.").to_owned());
    sentences
}

fn placement(lang: Lang, rules: &Rules) -> Vec<String> {
    let named = |pieces: &[crate::placement::Piece]| {
        let names: Vec<_> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        names.join(", ")
    };
    let pieces = match &rules.pieces {
        Pieces::Shared(pieces) => lang.pick(
            format!("In turn, both players place a piece on free cells: {}.", named(pieces)),
            format!("두 사람이 번갈아 빈칸에 조각을 놓습니다: {}.", named(pieces)),
        ),
        Pieces::Own { left, right } => lang.pick(
            format!("In turn, Left places {} and Right {} on free cells.", named(left), named(right)),
            format!("번갈아 빈칸에 조각을 놓습니다. 왼쪽의 조각: {}, 오른쪽의 조각: {}.", named(left), named(right)),
        ),
    };
    let turned = match (rules.rotate, rules.reflect) {
        (true, true) => lang.pick("Pieces may be turned and turned over.", "조각은 돌리거나 뒤집을 수 있습니다."),
        (true, false) => {
            lang.pick("Pieces may be turned, not turned over.", "조각은 돌릴 수 있지만 뒤집을 수 없습니다.")
        }
        (false, true) => lang.pick(
            "Pieces may be turned over from left to right, not turned.",
            "조각은 좌우로 뒤집을 수 있지만 돌릴 수 없습니다.",
        ),
        (false, false) => lang.pick("Pieces are placed as they are drawn.", "조각은 그려진 방향 그대로 놓습니다."),
    };
    let mut sentences = vec![pieces, turned.to_owned()];
    let supplies: Vec<_> =
        rules.pieces.all().filter_map(|piece| piece.supply.map(|n| format!("{} × {n}", piece.name))).collect();
    if !supplies.is_empty() {
        sentences.push(lang.pick(
            format!("The supply of each piece is limited: {}.", supplies.join(", ")),
            format!("조각의 개수가 정해져 있습니다: {}.", supplies.join(", ")),
        ));
    }
    let end = if rules.misere {
        lang.pick("Who cannot place wins.", "더 놓을 수 없는 쪽이 이깁니다.")
    } else {
        lang.pick(
            "Who places last wins: who cannot place loses.",
            "마지막에 놓는 쪽이 이깁니다. 더 놓을 수 없으면 집니다.",
        )
    };
    sentences.push(end.to_owned());
    sentences
}

fn lines(lang: Lang, rules: &lines::Rules) -> Vec<String> {
    let k = rules.k;
    let marks = match rules.marks {
        Marks::Own => {
            lang.pick("X and O mark a free cell in turn; X begins.", "번갈아 빈칸에 X와 O를 놓습니다. X가 먼저 둡니다.")
        }
        Marks::Shared => {
            lang.pick("In turn, both players mark a free cell X.", "두 사람 모두 번갈아 빈칸에 X를 둡니다.")
        }
    };
    let mut sentences = vec![marks.to_owned()];
    if rules.gravity {
        let text = lang.pick(
            "Marks fall to the lowest free cell of their column.",
            "놓은 표시는 그 열의 가장 아래 빈칸까지 떨어집니다.",
        );
        sentences.push(text.to_owned());
    }
    let line = if rules.overlines {
        lang.pick(
            format!("{k} in a row or more, along a row, a column or a diagonal, make a line."),
            format!("가로, 세로, 대각선으로 {k}개 이상 이어지면 줄이 됩니다."),
        )
    } else {
        lang.pick(
            format!("Exactly {k} in a row, along a row, a column or a diagonal, make a line; more do not."),
            format!("가로, 세로, 대각선으로 정확히 {k}개가 이어져야 줄이 됩니다."),
        )
    };
    sentences.push(line);
    let end = if rules.misere {
        lang.pick("Who makes a line loses.", "줄을 만드는 쪽이 집니다.")
    } else {
        lang.pick("Who makes a line wins.", "줄을 만드는 쪽이 이깁니다.")
    };
    sentences.push(end.to_owned());
    sentences.push(lang.pick("A full board without one is a draw.", "줄 없이 판이 다 차면 무승부입니다.").to_owned());
    sentences
}

fn heaps(lang: Lang, rules: &heaps::Rules) -> Vec<String> {
    let code = match &rules.code {
        Code::Nim => lang.pick(
            "In turn, players take any number of tokens from one heap.".to_owned(),
            "번갈아 한 더미에서 원하는 만큼 돌을 가져갑니다.".to_owned(),
        ),
        Code::Octal(digits) => {
            let can = digits.iter().enumerate().filter(|(_, digit)| **digit > 0);
            let listed: Vec<_> = can.map(|(taken, digit)| taking(lang, taken, *digit)).collect();
            lang.pick(
                format!("In turn, players take from one heap: {}.", listed.join("; ")),
                format!("번갈아 한 더미에서 가져갑니다: {}.", listed.join("; ")),
            )
        }
    };
    let end = if rules.misere {
        lang.pick("Who cannot move wins.", "둘 수 없는 쪽이 이깁니다.")
    } else {
        lang.pick("Who cannot move loses.", "둘 수 없는 쪽이 집니다.")
    };
    vec![code, end.to_owned()]
}

/// Describes when a digit of an octal code allows to take its number of tokens.
fn taking(lang: Lang, taken: usize, digit: u8) -> String {
    let cases = [
        (1, lang.pick("if they are the whole heap", "더미 전부일 때")),
        (2, lang.pick("leaving one heap", "한 더미를 남길 때")),
        (4, lang.pick("leaving two", "두 더미로 나눌 때")),
    ];
    let allowed: Vec<_> = cases.into_iter().filter(|(bit, _)| digit & bit != 0).map(|(_, words)| words).collect();
    match lang {
        Lang::En => format!("{taken} {}", allowed.join(" or ")),
        Lang::Ko => format!("{taken}개({})", allowed.join(", ")),
    }
}
