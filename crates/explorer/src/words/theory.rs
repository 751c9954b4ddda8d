//! Words about sums of games.

use super::{Lang, phrases};

/// The sum that the page shows at first.
pub(crate) const EXAMPLE: &str = "nim 3 5 + cram ..../.... + kayles 7";

phrases! {
    title: "Parts and nimbers", "부분과 님버";
    lead:
        "A move changes one part alone. Each part counts as a Nim heap; the size of that heap is its nimber; the position is lost for who is to \
         move exactly if their XOR is 0.",
        "한 수는 한 부분만 바꿉니다. 부분마다 님의 더미 하나와 같고, 그 크기가 님버입니다. 님버를 모두 XOR한 값이 0이면 차례인 쪽이 지고, 아니면 \
         이깁니다.";
    sums: "Sums of games", "게임의 합";
    sum_lead:
        "Several games side by side: a move is made in one of them, and who can move in none loses. Write each as its name and a position, with + \
         between. Impartial games add up by nimbers; where one of them is partizan, as Domineering, by values.",
        "게임 여럿을 나란히 놓고 둡니다. 한 번에 한 게임에만 두며, 어디에도 둘 수 없는 쪽이 집니다. 게임 이름과 국면을 +로 이어 적으세요. 두 사람이 둘 수 \
         있는 수가 같은 게임은 님버로 더하고, 도미니어링처럼 수가 다른 게임이 있으면 값으로 더합니다.";
    games: "The games", "게임들";
    add: "Add them up", "더하기";
    part: "Part", "부분";
    nimber: "Nimber", "님버";
    binary: "In binary", "이진수";
    to_zero: "Make the sum 0:", "합을 0으로 만드는 수:";
    position: "The position", "국면 보기";
    misere_value(n: u32):
        "By the misère convention parts do not add up by nimbers. The whole is lost beside a heap of Nim of {n}: its misère value.",
        "마지막에 두는 쪽이 지는 규칙에서는 부분의 님버를 더할 수 없습니다. 이 국면은 크기가 {n}인 님 더미와 함께 놓으면 차례인 쪽이 집니다. 이것이 \
         미제르 값입니다.";
    not_impartial:
        (
            "this game has no nimbers: not both players have the same moves, or more than the moves decides",
            "`cram`, `blockgame`, `nim`, `kayles` and `dawson` have",
        ),
        (
            "님버가 없는 게임입니다. 두 사람이 둘 수 있는 수가 다르거나, 둘 수 있는지만으로 승패가 정해지지 않습니다",
            "`cram`, `blockgame`, `nim`, `kayles`, `dawson`에는 있습니다",
        );
    too_many(most: usize):
        ("more than {most} games", "add up fewer"),
        ("게임이 {most}개를 넘습니다", "게임 수를 줄이세요");
}

pub(crate) fn verdict(lang: Lang, is_zero: bool) -> &'static str {
    if is_zero {
        lang.pick("The sum is 0: who is to move loses.", "합이 0이므로 차례인 쪽이 집니다.")
    } else {
        lang.pick("The sum is not 0: who is to move wins.", "합이 0이 아니므로 차례인 쪽이 이깁니다.")
    }
}
