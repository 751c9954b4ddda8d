use super::functions;

/// The code without blanks.
fn code(text: &str) -> Result<String, String> {
    functions(text).map(|code| code.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn each_kind_of_message_is_a_function() {
    let lang = "lang: ::balpan_games::Lang,";
    let (en, ko) = ("::balpan_games::Lang::En,", "::balpan_games::Lang::Ko,");
    let cases = [
        (
            "title\nen: A: b\nko: \" 가\"",
            format!(
                "pub(crate) const fn title({lang} ) -> &'static str {{ match (lang,) {{ ({en}) => \"A: b\", ({ko}) => \" 가\", }} }}"
            ),
        ),
        (
            "pub n(n: u32)\nen one: 1\nen: {n}s\nko: {n}",
            format!(
                "pub fn n({lang} n: u32) -> String {{ match (lang,) {{ ({en}) if n == 1 => format!(\"1\"), ({en}) => format!(\"{{n}}s\"), ({ko}) => format!(\"{{n}}\"), }} }}"
            ),
        ),
        (
            "no\nen: a\nen help: b\nko: c\nko help: d",
            format!(
                "pub(crate) fn no({lang} ) -> (String, String) {{ match (lang,) {{ ({en}) => (\"a\".to_owned(), \"b\".to_owned()), ({ko}) => (\"c\".to_owned(), \"d\".to_owned()), }} }}"
            ),
        ),
        (
            "is \"x y\"\nen: a\nko: b\nis _\nen:\n|c\nko: d",
            format!(
                "pub(crate) fn is({lang} word: &str) -> &'static str {{ match (word, lang,) {{ (\"x y\", {en}) => \"a\", (\"x y\", {ko}) => \"b\", (_, {en}) => \"\\nc\", (_, {ko}) => \"d\", }} }}"
            ),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(code(text), Ok(expected), "{text}");
    }
    assert!(code("# For whom.\ntitle\nen: a\nko: b").is_ok_and(|code| code.starts_with("/// For whom. pub(crate)")));
}

#[test]
fn mistakes_are_named() {
    assert_eq!(code("title\nen: a"), Err("`title` has no `ko`".to_owned()));
    assert_eq!(code("no\nen: a\nen help: b\nko: c"), Err("`no` has no `ko help`".to_owned()));
    assert_eq!(code("| more"), Err("line 1 continues no text".to_owned()));
}
