//! Words of the tree page around the picture.

use super::phrases;

phrases! {
    cuts: "What is cut, and why", "가지치기와 이유";
    as_list: "The tree as a list", "목록으로 보는 트리";
    choices: "What of the tree is shown", "트리 표시 방법";
    depth: "Depth", "깊이";
    alpha_beta: "Alpha-beta", "알파베타";
    yes: "on", "켜기";
    no: "off", "끄기";
    position: "The position", "이 국면 보기";
    steps: "Steps of the search", "탐색 단계";
    first: "◀◀ First", "◀◀ 처음";
    previous: "◀ Back", "◀ 이전";
    next: "Forward ▶", "다음 ▶";
    last: "Last ▶▶", "마지막 ▶▶";
    all_steps:
        "The whole search. Step through it from the first.",
        "탐색 전체입니다. 처음부터 한 단계씩 따라가 보세요.";
    step_of(step: usize, all: usize): "step {step} of {all}", "{all}단계 중 {step}단계";
}
