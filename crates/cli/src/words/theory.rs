//! Messages about combinatorial values, nimbers of heaps, misère quotients and sums.

/// Messages about combinatorial values.
pub(crate) mod value {
    use balpan_games::{Lang, phrases};

    use crate::numbers::{counted, grouped};

    phrases! {
        value: "value", "값";
        outcome: "outcome", "결과";
        /// The result of `solve --cgt`.
        position_value(value: &str, wins: &str): "Its value is {value}: {wins}.", "값: {value}. {wins}.";
        stops: "stops", "멈추는 수";
        bounds: "bounds", "한계";
        between(least: i64, most: i64): "from {least} to {most}", "{least} 이상 {most} 이하";
        mean: "mean", "평균";
        temperature: "temperature", "온도";
        none: "none, as it is a number", "없음(값이 수입니다)";
        birthday: "birthday", "생일";
        weight: "atomic weight", "원자량";
        incentives: "incentives", "유인";
        left: "Left", "왼쪽 편";
        right: "Right", "오른쪽 편";
        difference: "The difference:", "차:";
        /// The heading of winning moves.
        begins(player: &str): "{player} begins, and wins by", "{player}이 먼저 두면 이기는 수";
        /// The heading of moves that lose, with the winning replies.
        loses(player: &str): "{player} begins, and loses", "{player}이 먼저 두면 집니다";
        /// A move and the reply to it.
        reply(mv: &str, reply: &str): "to {mv}: {reply}", "{mv}에는: {reply}";
        no_move: "there is no move", "둘 수가 없습니다";
        more(moves: usize): ".. and {moves} more", ".. 그 밖에 {moves}개";
        cut: "More is left out, where `…` stands.", "`…`가 있는 곳은 생략한 부분입니다.";
        /// Why the answer is incomplete.
        unfinished(why: &str): "Not all is told: {why}.", "끝까지 구하지 못했습니다: {why}.";
        /// The cost of `value`.
        cost(forms: &str, positions: &str, seconds: f64):
            "{forms} forms, {positions} positions, {seconds:.2} s",
            "정준형 {forms}개, 국면 {positions}개, {seconds:.2}초";
        left_wins: "Left wins, whoever begins", "누가 먼저 두든 왼쪽 편이 이깁니다";
        right_wins: "Right wins, whoever begins", "누가 먼저 두든 오른쪽 편이 이깁니다";
        first_wins: "whoever begins wins", "먼저 두는 쪽이 이깁니다";
        second_wins: "whoever begins loses", "먼저 두는 쪽이 집니다";
        two_stops(left: &str, right: &str):
            "{left} when Left begins, {right} when Right does",
            "왼쪽 편이 먼저 두면 {left}, 오른쪽 편이 먼저 두면 {right}";
        range(least: i64, most: i64): "{least} to {most}", "{least}~{most}";
        second_is_better: "the second is better for Left", "둘째가 왼쪽 편에 더 좋습니다";
        first_is_better: "the first is better for Left", "첫째가 왼쪽 편에 더 좋습니다";
        both_are_equal: "both are worth the same", "둘의 값이 같습니다";
        neither_is_better:
            "neither is better: who moves first wins the difference",
            "어느 쪽도 더 좋지 않습니다. 차에서는 먼저 두는 쪽이 이깁니다";
        yes(meaning: &str): "Yes: {meaning}.", "예: {meaning}.";
        no(is: &str, meaning: &str): "No: it is `{is}`, {meaning}.", "아니요: `{is}`입니다. {meaning}.";
        leaves_position(mv: &str, game: &str, value: &str):
            "{mv} in {game}, which leaves {value}", "{game}에서 {mv}, 남는 값 {value}";
        leaves_value(game: &str, mv: &str): "{game} to {mv}", "{game}에서 {mv}로";
        games: "The games of the sum:", "합을 이루는 게임:";
    }

    /// The meaning of an outcome class: `left`, `right`, `first` or `second`.
    pub(crate) fn wins(lang: Lang, outcome: &str) -> &'static str {
        match outcome {
            "left" => left_wins(lang),
            "right" => right_wins(lang),
            "first" => first_wins(lang),
            _ => second_wins(lang),
        }
    }

    /// The cost of `solve --cgt`.
    pub(crate) fn parts(lang: Lang, parts: usize, seconds: f64) -> String {
        let counted = counted(parts as u64, "part", "parts");
        lang.pick(
            format!("{counted} settled in {seconds:.2} s"),
            format!("부분 {}개를 {seconds:.2}초에 풀었습니다", grouped(parts as u64)),
        )
    }

    /// The numbers at which play stops.
    pub(crate) fn stops_at(lang: Lang, left: &str, right: &str) -> String {
        if left == right { left.to_owned() } else { two_stops(lang, left, right) }
    }

    /// A number between two bounds.
    pub(crate) fn about(lang: Lang, least: i64, most: i64) -> String {
        if least == most { least.to_string() } else { range(lang, least, most) }
    }

    /// Whether a comparison holds, and the one that does.
    pub(crate) fn compared(lang: Lang, holds: bool, is: &str) -> String {
        let meaning = match is {
            "<" => second_is_better(lang),
            ">" => first_is_better(lang),
            "=" => both_are_equal(lang),
            _ => neither_is_better(lang),
        };
        if holds { yes(lang, meaning) } else { no(lang, is, meaning) }
    }

    /// The position or value that a move leaves.
    pub(crate) fn leaves(lang: Lang, game: &str, mv: &str, value: &str, is_position: bool) -> String {
        if is_position { leaves_position(lang, mv, game, value) } else { leaves_value(lang, game, mv) }
    }
}

/// Messages about sequences of nimbers.
pub(crate) mod period {
    use balpan_games::phrases;

    phrases! {
        head(code: &str, largest: &str): "{code}, heaps of up to {largest} tokens", "{code}, 돌 {largest}개까지의 더미";
        proved(length: &str, from: &str):
            "The nimbers have period {length} from heaps of {from} on, which is proved for all.",
            "그런디 수는 돌 {from}개짜리 더미부터 주기 {length}으로 되풀이되며, 모든 더미에 대해 증명되었습니다.";
        cut_short(to: &str): "There was no time for heaps of up to {to} tokens.", "시간이 모자라 {to}개까지 다 알아내지 못했습니다.";
        open:
            "No period is proved by these heaps; a longer sequence may tell.",
            "이 더미들만으로는 주기가 증명되지 않습니다. 더 긴 수열이면 증명될 수도 있습니다.";
        /// Nimbers that grow arithmetically as far as they were computed.
        grows(length: usize, from: usize, by: u32):
            "From heaps of {from} on, each nimber is that of the heap smaller by {length}, and {by} more, as far as these heaps go. Of larger ones \
             nothing is proved.",
            "돌 {from}개짜리 더미부터는 돌이 {length}개 적은 더미보다 그런디 수가 {by}만큼 큽니다. 이 더미들까지는 그렇지만, 더 큰 더미에 대해서는 \
             증명된 것이 없습니다.";
        exceptions(heaps: &str):
            "Before that, the heaps that the period does not tell: {heaps}.",
            "그 앞에서 주기에 맞지 않는 더미: {heaps}.";
        largest(nimber: u32, heap: usize):
            "The largest nimber is {nimber}, first of a heap of {heap}.",
            "가장 큰 그런디 수는 {nimber}이고, 돌 {heap}개짜리 더미에서 처음 나옵니다.";
        more: "--csv prints all of them.", "--csv로 전부 볼 수 있습니다.";
    }
}

/// Messages about misère quotients and misère sums.
pub(crate) mod quotient {
    use balpan_games::phrases;

    phrases! {
        head(game: &str, elements: usize, lost: usize):
            "The misère quotient of {game} has {elements} elements, {lost} of them lost for the player to move.",
            "{game}의 미제르 몫은 원소가 {elements}개이고, 그중 {lost}개는 둘 차례인 쪽이 집니다.";
        /// The order of the quotient of the first parts, after work that was stopped.
        so_far(game: &str, time: &str, parts: usize, elements: usize):
            "After {time}, the whole misère quotient of {game} is not known yet; that of its first {parts} parts has {elements} elements.",
            "{time} 동안 {game}의 미제르 몫을 다 알아내지 못했습니다. 처음 {parts}개 부분의 몫은 원소가 {elements}개입니다.";
        tame: "It is tame: a quotient of Nim.", "길들어 있습니다. 곧 님의 몫입니다.";
        lost: "Lost", "지는 원소";
        elements_of_parts: "Each part amounts to:", "각 부분이 해당하는 원소:";
        letter: "Letters stand for:", "글자가 뜻하는 것:";
        orders: "Elements, part by part:", "부분을 하나씩 더할 때 원소의 수:";
        part: "part", "부분";
        element: "element", "원소";
        genus: "genus", "종수";
        games(games: usize):
            "A sum of {games} misère games: who cannot move wins. The first player to move",
            "미제르 게임 {games}개의 합: 둘 수 없는 쪽이 이깁니다. 선공 차례";
        /// The position that a move leaves.
        leaves(game: &str, position: &str): "leaves {game} {position}", "남는 국면 {game} {position}";
    }
}

/// Messages about a sum of games.
pub(crate) mod sum {
    use balpan_games::phrases;

    phrases! {
        head(games: usize): "A sum of {games} games, the first player to move", "게임 {games}개의 합, 선공 차례";
        nimber: "nimber", "그런디 수";
        sum: "sum", "합";
        first_wins: "The first player wins.", "선공이 이깁니다.";
        second_wins: "The second player wins.", "후공이 이깁니다.";
        moves: "The moves that win:", "이기는 수:";
        /// The position that a move leaves in its game.
        leaves(game: &str, position: &str, nimber: u32):
            "leaves {game} {position}, nimber {nimber}",
            "남는 국면 {game} {position}, 그런디 수 {nimber}";
    }
}
