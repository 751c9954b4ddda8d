//! Words of the pages about combinatorial game theory.

/// Words about sums of games.
pub(crate) mod theory {
    use crate::words::phrases;

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
        no_nimbers(reason: &str): "this game has no nimbers: {reason}", "이 게임에는 그런디 수가 없습니다: {reason}";
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
        sum_is_lost: "The sum is 0: who is to move loses.", "합이 0이므로 차례인 쪽이 집니다.";
        sum_is_won: "The sum is not 0: who is to move wins.", "합이 0이 아니므로 차례인 쪽이 이깁니다.";
    }
}

/// Words about sequences of nimbers and misère quotients.
pub(crate) mod theories {
    use crate::words::phrases;

    phrases! {
        period: "Nimbers of heaps", "더미의 님버";
        period_lead:
            "The nimbers of heaps by an octal or hexadecimal code (0.77 is Kayles, 0.07 Dawson's game), and the period that finitely many heaps prove \
             of all, by the theorem of R. K. Guy and C. A. B. Smith.",
            "8진 또는 16진 코드로 정한 더미 게임의 님버입니다(0.77은 케일스, 0.07은 도슨의 게임). 가이와 스미스의 정리에 따라, 유한한 더미만 보고 모든 더미에 대해 \
             주기를 증명합니다.";
        code: "The code, or a game of heaps", "코드나 더미 게임";
        code_or_game: "A code, a game of heaps, or a misère game", "코드나 더미 게임, 또는 미제르 게임";
        largest_heap: "The largest heap", "가장 큰 더미";
        find: "Work it out", "계산하기";
        open:
            "No period is proved by these heaps; larger ones may tell.",
            "이 더미들만으로는 주기가 증명되지 않습니다. 더 큰 더미까지 보면 증명될 수도 있습니다.";
        csv: "The whole sequence, on your own machine:", "수열 전체는 자기 컴퓨터에서 볼 수 있습니다:";
        quotient: "Misère quotients", "미제르 몫";
        quotient_lead:
            "Where who cannot move wins, nimbers tell little. The misère quotient tells what heaps or positions amount to beside each other: two sums \
             are one element if no other sum tells them apart.",
            "둘 수 없는 쪽이 이기는 규칙에서는 님버가 별로 도움이 되지 않습니다. 미제르 몫은 더미나 국면을 나란히 놓았을 때 각각이 무엇에 해당하는지를 알려 줍니다. 어떤 \
             합을 곁에 놓아도 구별되지 않는 두 합은 같은 원소입니다.";
        tame: "It is tame: a quotient of Nim.", "길들어 있습니다. 곧 님의 몫입니다.";
        lost: "Lost", "지는 원소";
        letters: "Letters stand for", "글자가 뜻하는 것";
        orders: "Elements, part by part", "부분을 하나씩 더할 때 원소의 수";
        part: "Part", "부분";
        element: "Element", "원소";
        genus: "Genus", "종수";
        pretending:
            "The table is the pretending function: a sum is lost for who is to move exactly if the product of what its parts amount to is one of the \
             lost elements. It is proved of all sums.",
            "이 표가 부분을 원소로 옮기는 함수입니다. 각 부분의 원소를 모두 곱한 것이 지는 원소이면 그 합은 차례인 쪽이 지고, 아니면 이깁니다. 모든 합에 대해 증명된 \
             사실입니다.";
        proved(length: &str, from: &str):
            "The nimbers have period {length} from heaps of {from} on: it is proved of all heaps.",
            "돌 {from}개짜리 더미부터 주기 {length}의 간격으로 님버가 되풀이됩니다. 모든 더미에 대해 증명된 사실입니다.";
        grows(length: &str, from: &str, by: u32):
            "From heaps of {from} on, each nimber is that of the heap smaller by {length}, and {by} more, as far as these heaps go. Of larger ones \
             nothing is proved.",
            "돌 {from}개짜리 더미부터는 돌이 {length}개 적은 더미보다 님버가 {by}만큼 큽니다. 이 더미들까지는 그렇지만, 더 큰 더미에 대해서는 증명된 \
             것이 없습니다.";
        exceptions(heaps: &str):
            "Before that, the heaps that the period does not tell: {heaps}.",
            "그 앞에서 주기에 맞지 않는 더미: {heaps}.";
        largest(nimber: u32, heap: &str):
            "The largest nimber is {nimber}, first of a heap of {heap}.",
            "가장 큰 님버는 {nimber}이고, 돌 {heap}개짜리 더미에서 처음 나옵니다.";
        /// The title of the plot.
        first_heaps(code: &str, most: &str): "{code}, heaps of up to {most}", "{code}, 돌 {most}개까지의 더미";
        elements(game: &str, elements: usize, lost: usize):
            "The misère quotient of {game} has {elements} elements; {lost} of them are lost for the player to move.",
            "{game}의 미제르 몫은 원소가 {elements}개이고, 그중 {lost}개는 차례인 쪽이 집니다.";
        more_parts(n: usize): "And {n} more.", "그 밖에 {n}개가 더 있습니다.";
        no_code:
            ("neither a code nor a game of heaps", "take an octal or hexadecimal code such as 0.77, or `kayles` or `dawson`"),
            ("코드도 더미 게임도 아닙니다", "0.77 같은 8진·16진 코드나 `kayles`, `dawson`을 쓰세요");
        not_misere:
            (
                "this game has no misère quotient: both players need the same moves, and who cannot move has to win",
                "take a code such as 0.77, a game of heaps, or `notakto`",
            ),
            (
                "미제르 몫이 없는 게임입니다. 두 사람이 둘 수 있는 수가 같고, 둘 수 없는 쪽이 이기는 게임이어야 합니다",
                "0.77 같은 코드나 더미 게임, `notakto`를 쓰세요",
            );
        no_size(most: usize):
            ("this is no size of heaps", "take a number from 1 to {most}"),
            ("더미의 크기가 아닙니다", "1부터 {most}까지의 수를 쓰세요");
        too_many_elements(most: usize):
            (
                "this misère quotient has more than {most} elements, and may have no end of them",
                "take smaller heaps; `balpan quotient --most` on your own machine allows more",
            ),
            (
                "이 미제르 몫은 원소가 {most}개를 넘으며, 끝이 없을 수도 있습니다",
                "더 작은 더미를 고르세요. 자기 컴퓨터의 `balpan quotient --most`로는 더 큰 것도 구할 수 있습니다",
            );
        too_long:
            ("this takes too long to find", "take smaller heaps; the command on your own machine takes longer"),
            ("알아내는 데 너무 오래 걸립니다", "더 작은 더미를 고르세요. 자기 컴퓨터의 명령으로는 더 오래 구할 수 있습니다");
    }
}

/// Words about the values of partizan positions.
pub(crate) mod values {
    use crate::words::players::Name;
    use crate::words::{Lang, phrases};

    phrases! {
        title: "Parts and values", "부분과 값";
        lead:
            "A move changes one part alone. The value of a part says what it is worth in any sum: a positive number counts the moves to spare of \
             Left. The temperature is what a move in the part gains; in a number nobody wants to move.",
            "한 수는 한 부분만 바꿉니다. 부분의 값은 다른 부분과 함께 놓였을 때 그 부분이 갖는 가치입니다. 양수는 왼쪽 편이 그만큼 더 둘 수 있다는 뜻입니다. 온도는 \
             그 부분에 한 수 두어 얻는 이득이며, 값이 수이면 아무도 먼저 두려 하지 않습니다.";
        value: "Value", "값";
        mean: "Mean", "평균";
        temperature: "Temperature", "온도";
        /// The temperature of a number.
        number: "a number", "수";
        sum: "Sum", "합";
        values: "Values", "값 계산";
        values_lead:
            "What positions and values are worth in sums: numbers (3/4), nimbers (*2), arrows (^ or ↑), games ({1|0}, +-1) and positions \
             (domineering(../..), cram(4x4)), with +, -, and one comparison (<, =, ||) between.",
            "국면과 값이 합에서 갖는 가치를 구합니다. 수(3/4), 님버(*2), 화살표(^ 또는 ↑), 게임({1|0}, +-1), 국면(domineering(../..), cram(4x4))을 +와 -로 \
             잇고, 비교 기호(<, =, ||)를 하나 쓸 수 있습니다.";
        expression: "The expression", "식";
        work_out: "Work it out", "계산하기";
        thermograph: "Thermograph", "온도 그래프";
        stops: "Stops", "멈추는 수";
        bounds: "Bounds", "한계";
        weight: "Atomic weight", "원자량";
        game: "Game", "게임";
        left_wins: "Left begins, and wins by", "왼쪽 편이 먼저 두면 이기는 수";
        right_wins: "Right begins, and wins by", "오른쪽 편이 먼저 두면 이기는 수";
        not_all:
            "There was no time for all of it; `balpan value` on your own machine takes longer.",
            "시간 안에 다 구하지 못했습니다. 자기 컴퓨터의 `balpan value`로는 더 오래 구할 수 있습니다.";
        play_here(game: &str, temperature: &str):
            "Play here: {game}, temperature {temperature}.",
            "여기에 두세요: {game}, 온도 {temperature}.";
        within(game: &str): "in {game}", "({game})";
        too_long:
            ("an expression of more than 2,000 bytes", "take a shorter one"),
            ("식이 2,000바이트를 넘습니다", "더 짧은 식을 쓰세요");
        too_hard:
            (
                "the values of these parts take too long to find",
                "take a later position or a smaller board; `balpan solve --cgt` on your own machine takes longer",
            ),
            (
                "이 부분들의 값을 구하는 데 너무 오래 걸립니다",
                "나중 국면이나 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan solve --cgt`로는 더 오래 풀 수 있습니다",
            );
        holds: "Yes. Of the difference:", "예. 차에 대해서는 다음과 같습니다.";
        /// A comparison that does not hold, with the one that does.
        holds_not(is: &str): "No, it is {is}. Of the difference:", "아니요, {is}입니다. 차에 대해서는 다음과 같습니다.";
    }

    /// Says who wins. `left` and `right` tell whether that player wins by moving first.
    pub(crate) fn verdict(lang: Lang, names: [Name; 2], left: bool, right: bool) -> String {
        let whoever = |name: Name| match lang {
            Lang::En => format!("{} wins, whoever begins.", name.plain),
            Lang::Ko => format!("누가 먼저 두든 {} 이깁니다.", name.subject),
        };
        match (left, right) {
            (true, false) => whoever(names[0]),
            (false, true) => whoever(names[1]),
            (true, true) => lang.pick("Whoever begins wins.", "먼저 두는 쪽이 이깁니다.").to_owned(),
            (false, false) => lang.pick("Whoever begins loses.", "먼저 두는 쪽이 집니다.").to_owned(),
        }
    }
}
