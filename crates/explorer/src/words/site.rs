//! What is said to requests from other sites.

use super::Lang;
use super::refusal::Message;

pub(crate) fn other_site(lang: Lang) -> Message {
    let (found, help) = lang.pick(
        (
            "a page of another site asks this server to solve something",
            "open the position itself: a link to it is fine",
        ),
        (
            "다른 사이트의 페이지가 이 서버에 풀이를 요청했습니다",
            "국면의 주소를 직접 열어 주세요. 링크로 들어오는 것은 괜찮습니다",
        ),
    );
    (found.to_owned(), help.to_owned())
}
