//! Messages about misère quotients and misère sums.

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
