//! What a tree's page says around its picture.

use super::Lang;

pub(crate) fn cuts(lang: Lang) -> &'static str {
    lang.pick("What is cut, and why", "가지치기와 이유")
}

pub(crate) fn as_list(lang: Lang) -> &'static str {
    lang.pick("The tree as a list", "목록으로 보는 트리")
}

pub(crate) fn choices(lang: Lang) -> &'static str {
    lang.pick("What of the tree is shown", "트리 표시 방법")
}

pub(crate) fn depth(lang: Lang) -> &'static str {
    lang.pick("Depth", "깊이")
}

pub(crate) fn alpha_beta(lang: Lang) -> &'static str {
    lang.pick("Alpha-beta", "알파베타")
}

pub(crate) fn yes(lang: Lang) -> &'static str {
    lang.pick("on", "켜기")
}

pub(crate) fn no(lang: Lang) -> &'static str {
    lang.pick("off", "끄기")
}

pub(crate) fn position(lang: Lang) -> &'static str {
    lang.pick("The position", "이 국면 보기")
}

pub(crate) fn steps(lang: Lang) -> &'static str {
    lang.pick("Steps of the search", "탐색 단계")
}

pub(crate) fn first(lang: Lang) -> &'static str {
    lang.pick("◀◀ First", "◀◀ 처음")
}

pub(crate) fn previous(lang: Lang) -> &'static str {
    lang.pick("◀ Back", "◀ 이전")
}

pub(crate) fn next(lang: Lang) -> &'static str {
    lang.pick("Forward ▶", "다음 ▶")
}

pub(crate) fn last(lang: Lang) -> &'static str {
    lang.pick("Last ▶▶", "마지막 ▶▶")
}

pub(crate) fn step_of(lang: Lang, step: usize, all: usize) -> String {
    lang.pick(format!("step {step} of {all}"), format!("{all}단계 중 {step}단계"))
}

pub(crate) fn all_steps(lang: Lang) -> &'static str {
    lang.pick("The whole search. Step through it from the first.", "탐색 전체입니다. 처음부터 한 단계씩 따라가 보세요.")
}
