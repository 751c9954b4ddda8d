//! Words about sequences of nimbers and misère quotients.

use super::phrases;

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
