//! A certificate, claim by claim.

use balpan_check::CheckError;
use balpan_check::parse;
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::untrusted::answers::Method;
use balpan_check::untrusted::meter::Unmetered;
use maud::{Markup, html};

use crate::board;
use crate::certificates::{Certificate, Note, Notes, What};
use crate::link::Link;
use crate::page::{Page, Reader, quoted};
use crate::refusal::Refusal;
use crate::words::players::Name;
use crate::words::{Lang, certificates as say};

/// Moves of the longest list.
const MOST_MOVES: usize = 500;

/// What the link shows: the certificate, or the claim whose number is in `at`.
pub(crate) fn page(reader: Reader, link: &Link, of: &Certificate) -> Result<Page, Refusal> {
    let (header, _) = parse(&of.bytes).map_err(|failure| match failure {
        // It was read before.
        CheckError::NotProved(why) | CheckError::NotACertificate(why) | CheckError::TooLarge(why) => {
            Refusal::bad(why, "")
        }
        CheckError::Interrupted => Refusal::bad("", ""),
    })?;
    let lang = reader.lang;
    let link = Link { at: link.at.clone(), ..reader.link_to(&of.name) };
    let shown = Shown { reader, lang, link: &link, of, header: &header };
    let body = match &link.at {
        None => shown.whole(),
        Some(at) => {
            let wrong = || Refusal::value("at", at, say::expected_claim);
            let n: usize = at.parse().map_err(|_| wrong())?;
            let notes = of.notes.as_ref().ok_or_else(wrong)?;
            let note = notes.claims.get(n).ok_or_else(wrong)?;
            shown.claim(notes, n, note)
        }
    };
    let title = match &link.at {
        Some(at) => format!("{}, {at}", of.name),
        None => of.name.clone(),
    };
    Ok(Page::new(title, move |lang| link.with_lang(lang).url("certificates"), body))
}

struct Shown<'p> {
    reader: Reader,
    lang: Lang,
    link: &'p Link,
    of: &'p Certificate,
    header: &'p Header,
}

impl Shown<'_> {
    fn family(&self) -> &dyn Game {
        &*self.header.game
    }

    /// The certificate, and how its claim about the position itself is shown.
    fn whole(&self) -> Markup {
        let Self { lang, of, .. } = *self;
        let position = &of.proved.position;
        let scene = of.scene(position);
        html! {
            h1 { (of.proved.game) " " small { (of.name) } }
            p.sentence #claim { (say::said(lang, of.said, of.players.map(|player| say::player(lang, player)))) }
            div.two {
                section { (self.picture(&self.header.position)) }
                section {
                    p { (say::size(lang, of.proved.claims, of.bytes.len())) }
                    p.actions {
                        a href={ "/certificates/" (of.name) ".cert" } download { (say::download(lang)) }
                        @if let Some(scene) = &scene {
                            a href=(Link { lang: self.link.lang, ..scene.link.clone() }.play()) { (say::play(lang)) }
                        }
                        (self.all())
                    }
                    h2 { (say::how(lang)) }
                    @match &of.notes {
                        None => p { (quoted(say::too_large(lang))) },
                        Some(notes) => (self.beginning(notes)),
                    }
                }
            }
        }
    }

    fn all(&self) -> Markup {
        html! { a href=(self.reader.certificates()) { (say::all(self.lang)) } }
    }

    /// A position as a picture, where its game is a preset, and as text.
    fn picture(&self, at: &Position) -> Markup {
        let text = self.family().write(at);
        // The game knows of no moves elsewhere.
        let (board, lead) = text.split_once(" lead ").unwrap_or((&text, "0"));
        let scene = self.of.scene(board).filter(|scene| scene.view.board.is_some());
        html! {
            @if let Some(scene) = &scene { div.picture aria-hidden="true" { (board::still(scene)) } }
            pre #position { code { (text.replace('/', "\n")) } }
            @if let Some(lead) = lead.parse::<i32>().ok().filter(|lead| *lead != 0) { p { (say::moves_elsewhere(self.lang, lead)) } }
        }
    }

    fn beginning(&self, notes: &Notes) -> Markup {
        let (family, root) = (self.family(), &self.header.position);
        match &self.header.claim {
            Claim::Nimber(_) | Claim::WinsByNimber(false) => self.parts_told(notes, root),
            Claim::WinsByNimber(true) => html! {
                @if let Some((first, _)) = notes.first_move() {
                    p { (self.begins()) " " code { (family.write_move(first)) } }
                    @if let Some(mv) = the_move(family, root, first) { (self.parts_told(notes, &mv.after)) }
                }
            },
            Claim::Play(_) if Unmetered::new(family).end(root).is_some() => html! { p { (say::has_ended(self.lang)) } },
            Claim::Play(halves) => html! {
                @for &(mover, sure) in halves {
                    @if mover { (self.first_move(notes, sure)) }
                    @else if let Some((n, note)) = notes.root().and_then(|n| Some((n, notes.claims.get(n)?))) {
                        p { (self.to_claim(n)) (self.mirrored(root, sure)) }
                        // Its moves are those of the position as the claim shows it.
                        @if note.at == *root { (self.shown(notes, n, note)) }
                    }
                }
            },
        }
    }

    fn begins(&self) -> String {
        say::begins(self.lang, say::player(self.lang, self.of.players[0]))
    }

    /// The claimer's first move.
    fn first_move(&self, notes: &Notes, sure: Guarantee) -> Markup {
        let (family, root) = (self.family(), &self.header.position);
        let first = notes.first_move().and_then(|(first, claim)| Some((the_move(family, root, first)?, claim)));
        html! {
            p {
                @match first {
                    Some((mv, claim)) => {
                        (self.begins()) " " code { (family.write_move(mv.number)) } " → "
                        (self.to_claim(claim)) (self.mirrored(&mv.after, sure))
                    },
                    None => (self.ending(root, &moves(family, root), sure.after_a_ply())),
                }
            }
        }
    }

    /// The page of a claim.
    fn claim(&self, notes: &Notes, n: usize, note: &Note) -> Markup {
        let Self { lang, of, .. } = *self;
        let all = notes.claims.len();
        html! {
            h1 { (of.proved.game) " " small { (of.name) } }
            h2 { (say::claim_of(lang, n, all)) }
            p.actions {
                @if let Some(previous) = n.checked_sub(1) { a #previous href=(self.url(previous)) { (say::previous(lang)) } }
                @if n + 1 < all { a #next href=(self.url(n + 1)) { (say::next(lang)) } }
                a href=(Link { at: None, ..self.link.clone() }.url("certificates")) { (say::whole(lang)) }
                (self.all())
            }
            div.two {
                section { (self.picture(&note.at)) }
                section { (self.shown(notes, n, note)) }
            }
        }
    }

    /// A claim, and how it is shown.
    fn shown(&self, notes: &Notes, n: usize, note: &Note) -> Markup {
        let lang = self.lang;
        match &note.what {
            What::Nimber(nimber) => html! {
                p.sentence { (say::nimber_of_part(lang, *nimber)) }
                (self.options(notes, n, note, *nimber))
            },
            What::Guarantee(sure, way) => html! {
                p.turn { (crate::words::position::to_move(lang, self.player(&note.at, 0))) }
                p.sentence { (say::sure(lang, self.player(&note.at, 1), *sure)) }
                @match way {
                    Method::Search => p { (say::searched(lang)) },
                    Method::Pairs(pairs) => {
                        p { (say::pairs(lang)) }
                        ul.answers { @for pair in pairs { li { code { (self.cell(pair.0)) "+" (self.cell(pair.1)) } } } }
                    },
                    Method::Moves => (self.moves(notes, n, note, *sure)),
                }
            },
        }
    }

    /// The player to move (0) in a position, or the other one.
    fn player(&self, at: &Position, other: usize) -> Name {
        say::player(self.lang, self.family().players(at)[other])
    }

    /// A cell by its row and column.
    fn cell(&self, cell: usize) -> String {
        let cols = self.of.proved.position.split(['/', ' ']).next().map_or(1, |row| row.chars().count().max(1));
        format!("{},{}", cell / cols, cell % cols)
    }

    /// Each move of a claim, and what it is answered with.
    fn moves(&self, notes: &Notes, n: usize, note: &Note, sure: Guarantee) -> Markup {
        let family = self.family();
        let moves = moves(family, &note.at);
        let then = sure.after_a_ply().after_a_ply();
        html! {
            p { (say::moves(self.lang)) }
            ul.answers {
                @for mv in moves.iter().take(MOST_MOVES) {
                    li {
                        code { (family.write_move(mv.number)) } " "
                        @if let Some(end) = mv.end { (self.ends(&mv.after, end)) }
                        @else { "→ " (self.reply(notes, n, mv, then)) }
                    }
                }
                (self.more(moves.len()))
            }
        }
    }

    fn more(&self, all: usize) -> Markup {
        html! { @if all > MOST_MOVES { li { (say::more(self.lang, all - MOST_MOVES)) } } }
    }

    /// What a move is answered with.
    fn reply(&self, notes: &Notes, n: usize, mv: &Move, then: Guarantee) -> Markup {
        let family = self.family();
        let replies = moves(family, &mv.after);
        let noted = notes.reply(n, mv.number);
        match noted.and_then(|number| replies.iter().find(|reply| reply.number == number)) {
            Some(reply) => html! {
                code { (family.write_move(reply.number)) } " → "
                @if let Some(claim) = notes.below(n, &Unmetered::new(family).canonical(&reply.after, then)) { (self.to_claim(claim)) }
                (self.mirrored(&reply.after, then))
            },
            None => self.ending(&mv.after, &replies, then),
        }
    }

    /// The reply that ends play as claimed, if that is why nothing was asked.
    fn ending(&self, at: &Position, replies: &[Move], then: Guarantee) -> Markup {
        let is_enough = |reply: &&Move| reply.end.is_some_and(|end| then.is_met_by(-end));
        html! {
            @match replies.iter().find(is_enough) {
                Some(reply) => {
                    code { (self.family().write_move(reply.number)) } " "
                    (self.ends(&reply.after, reply.end.unwrap_or(0)))
                },
                None => { (say::enough(self.lang)) @if replies.is_empty() { " (" (self.family().write(at)) ")" } },
            }
        }
    }

    /// How play has ended for whose turn it would be.
    fn ends(&self, after: &Position, end: i32) -> String {
        let winner = (end != 0).then(|| self.player(after, usize::from(end < 0)));
        say::ends(self.lang, winner)
    }

    fn url(&self, claim: usize) -> String {
        self.link.at_position(&claim.to_string()).url("certificates")
    }

    fn to_claim(&self, claim: usize) -> Markup {
        html! { a href=(self.url(claim)) { (say::claim(self.lang, claim)) } }
    }

    /// Says so where a claim shows a position otherwise than play does.
    fn mirrored(&self, after: &Position, sure: Guarantee) -> Markup {
        html! {
            @if Unmetered::new(self.family()).canonical(after, sure) != *after { " " small { "(" (say::mirrored(self.lang)) ")" } }
        }
    }

    /// Each option of a part, and why it has not the part's nimber.
    fn options(&self, notes: &Notes, n: usize, note: &Note, nimber: u32) -> Markup {
        let family = self.family();
        let mut options: Vec<(Move, Vec<Position>)> = Vec::new();
        for mv in moves(family, &note.at) {
            let parts = parts(family, &mv.after);
            if !options.iter().any(|option| option.1 == parts) {
                options.push((mv, parts));
            }
        }
        html! {
            p { @if options.is_empty() { (say::no_options(self.lang)) } @else { (say::options(self.lang, nimber)) } }
            ul.answers {
                @for (mv, parts) in options.iter().take(MOST_MOVES) {
                    li { code { (family.write_move(mv.number)) } " " (self.option(notes, n, mv, parts, nimber)) }
                }
                (self.more(options.len()))
            }
        }
    }

    fn option(&self, notes: &Notes, n: usize, mv: &Move, its_parts: &[Position], nimber: u32) -> Markup {
        let family = self.family();
        let reply = notes.reply(n, mv.number).and_then(|reply| the_move(family, &mv.after, reply));
        html! {
            @if let Some(reply) = reply {
                (say::answered_by(self.lang)) " " code { (family.write_move(reply.number)) } ", "
                (say::back_to(self.lang, nimber)) (self.parts(notes, &parts(family, &reply.after)))
            } @else {
                @match sum(notes, its_parts) {
                    Some(nimber) => (say::has_nimber(self.lang, nimber)),
                    None => (say::found_itself(self.lang)),
                }
                (self.parts(notes, its_parts))
            }
        }
    }

    /// Parts and their nimbers, with links to the claims about them.
    fn parts(&self, notes: &Notes, parts: &[Position]) -> Markup {
        html! {
            @if !parts.is_empty() {
                ": "
                @for (n, part) in parts.iter().enumerate() {
                    @if n > 0 { " + " }
                    code { (self.family().write(part)) @if let Some(nimber) = notes.nimber(part) { " = " (nimber) } }
                    @if let Some(claim) = notes.part(part) { " (" (self.to_claim(claim)) ")" }
                }
            }
        }
    }

    /// The parts of a position by themselves.
    fn parts_told(&self, notes: &Notes, at: &Position) -> Markup {
        let parts = parts(self.family(), at);
        html! {
            @if parts.is_empty() { p { (say::no_parts(self.lang)) } }
            @else {
                p { (say::parts(self.lang)) }
                ul.answers {
                    @for part in &parts {
                        li {
                            code { (self.family().write(part)) } " "
                            @match notes.nimber(part) {
                                Some(nimber) => (say::has_nimber(self.lang, nimber)),
                                None => (say::found_itself(self.lang)),
                            }
                            @if let Some(claim) = notes.part(part) { " → " (self.to_claim(claim)) }
                        }
                    }
                }
            }
        }
    }
}

fn moves(family: &dyn Game, at: &Position) -> Vec<Move> {
    let rules = Unmetered::new(family);
    if rules.end(at).is_some() { Vec::new() } else { rules.moves(at) }
}

fn the_move(family: &dyn Game, at: &Position, number: u32) -> Option<Move> {
    moves(family, at).into_iter().find(|mv| mv.number == number)
}

/// The parts of a position as the checker takes them.
fn parts(family: &dyn Game, at: &Position) -> Vec<Position> {
    Unmetered::new(family).odd_parts(at)
}

/// The sum of the parts' nimbers, if all are noted.
fn sum(notes: &Notes, parts: &[Position]) -> Option<u32> {
    parts.iter().try_fold(0, |sum, part| Some(sum ^ notes.nimber(part)?))
}
