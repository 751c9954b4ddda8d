//! The list of proved certificates, and the pages of a certificate and of its claims.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use axum::response::{IntoResponse, Response};
use balpan_check::CheckError;
use balpan_check::parse;
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::untrusted::answers::Method;
use balpan_check::untrusted::meter::Unmetered;
use maud::{Markup, html};

use crate::answers::Answers;
use crate::board;
use crate::certificates::{Certificate, ClaimKind, ClaimRecord, MAX_CLAIMS, Transcript};
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, with_code, with_quoted_code};
use crate::request::{GetRequest, Reader};
use crate::scene::run_blocking;
use crate::words::players::Name;
use crate::words::{Lang, certificates as say};

/// Moves in a list at most.
const MAX_MOVES: usize = 500;

/// The list of proved certificates.
pub(crate) async fn list(State(answers): State<Arc<Answers>>, GetRequest { reader, .. }: GetRequest) -> Page {
    let (lang, certificates) = (reader.lang, &answers.limits().certificates);
    // Counted first: a certificate that is proved meanwhile is counted twice rather than missed.
    let unchecked = certificates.unchecked();
    let mut proved = certificates.proved();
    // The hardest answers come first.
    proved.sort_by_key(|one| Reverse(one.bytes.len()));
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        @if unchecked > 0 { p #unchecked role="status" data-again { (say::unchecked(lang, unchecked)) } }
        @if !proved.is_empty() {
            ul.cards #certificates { @for one in &proved { li { (card(reader, one)) } } }
        } @else if unchecked == 0 {
            p { (with_quoted_code(say::none(lang))) }
            pre { code { "balpan prove platforms -o certificates/platforms.cert\nbalpan serve --certificates certificates" } }
        }
    };
    Page { is_waiting: unchecked > 0, ..Page::new(say::title(lang), "/certificates", body) }
}

fn card(reader: Reader, certificate: &Certificate) -> Markup {
    let (lang, link) = (reader.lang, reader.link_to(&certificate.name).url("certificates"));
    let players = certificate.players.map(|player| say::player(lang, player));
    html! {
        article.card {
            div {
                h2 { a href=(link) { (certificate.name) } }
                p { (certificate.proved.game) ": " b { (say::statement(lang, certificate.statement, players)) } }
                p { code { (certificate.proved.position) } }
                p { small { (say::size(lang, certificate.proved.claims, certificate.bytes.len())) } }
                p.actions {
                    @if certificate.transcript.is_some() { a href=(link) { (say::walk(lang)) } }
                    a href={ "/certificates/" (certificate.name) ".cert" } download { (say::download(lang)) }
                }
            }
        }
    }
}

/// The page of a certificate, or of the claim whose number is in `at`; if the name ends in `.cert`, the file.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let all = Arc::clone(&answers.limits().certificates);
    if let Some(name) = request.name.as_deref().and_then(|name| name.strip_suffix(".cert")) {
        let certificate = all.get(name)?;
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
            (CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
            (ETAG, certificate.tag.clone()),
        ];
        return Ok((headers, certificate.bytes.clone()).into_response());
    }
    let page = run_blocking(move || {
        let link = request.link(&[])?;
        certificate_page(request.reader, &link, &*all.get(&link.game)?)
    });
    Ok(page.await?.into_response())
}

fn certificate_page(reader: Reader, link: &Link, certificate: &Certificate) -> Result<Page, RequestError> {
    let (header, _) = parse(&certificate.bytes).map_err(|error| match error {
        // Unreachable: the certificate was parsed before.
        CheckError::NotProved(why) | CheckError::NotACertificate(why) | CheckError::TooLarge(why) => {
            RequestError::bad_request(why, "")
        }
        CheckError::Interrupted => RequestError::bad_request("", ""),
    })?;
    let lang = reader.lang;
    let link = Link { at: link.at.clone(), ..reader.link_to(&certificate.name) };
    let view = CertificateView { reader, lang, link: &link, certificate, header: &header };
    let body = match &link.at {
        None => view.whole(),
        Some(at) => {
            let wrong = || RequestError::invalid_value("at", at, say::expected_claim);
            let n: usize = at.parse().map_err(|_| wrong())?;
            let transcript = certificate.transcript.as_ref().ok_or_else(wrong)?;
            let record = transcript.claims.get(n).ok_or_else(wrong)?;
            view.claim_page(transcript, n, record)
        }
    };
    let title = match &link.at {
        Some(at) => format!("{}, {at}", certificate.name),
        None => certificate.name.clone(),
    };
    Ok(Page::new(title, link.without_lang().url("certificates"), body))
}

/// A certificate for a reader.
struct CertificateView<'p> {
    reader: Reader,
    lang: Lang,
    link: &'p Link,
    certificate: &'p Certificate,
    header: &'p Header,
}

impl CertificateView<'_> {
    fn family(&self) -> &dyn Game {
        &*self.header.game
    }

    /// The certificate, and the claims about the position itself.
    fn whole(&self) -> Markup {
        let Self { lang, certificate, .. } = *self;
        let position = &certificate.proved.position;
        let scene = certificate.scene(position);
        html! {
            h1 { (certificate.proved.game) " " small { (certificate.name) } }
            p.sentence #claim { (say::statement(lang, certificate.statement, certificate.players.map(|player| say::player(lang, player)))) }
            div.two {
                section { (self.picture(&self.header.position)) }
                section {
                    p { (say::size(lang, certificate.proved.claims, certificate.bytes.len())) }
                    p.actions {
                        a href={ "/certificates/" (certificate.name) ".cert" } download { (say::download(lang)) }
                        @if let Some(scene) = &scene {
                            a href=(Link { lang: self.link.lang, ..scene.link.clone() }.play()) { (say::play(lang)) }
                        }
                        (self.list_link())
                    }
                    h2 { (say::how(lang)) }
                    @match &certificate.transcript {
                        None if certificate.proved.claims <= MAX_CLAIMS => p { (with_code(say::strategy(lang))) },
                        None => p { (with_code(say::too_large(lang))) },
                        Some(transcript) => (self.beginning(transcript)),
                    }
                }
            }
        }
    }

    fn list_link(&self) -> Markup {
        html! { a href=(self.reader.url("/certificates")) { (say::all(self.lang)) } }
    }

    /// A position as text, and as a picture if the game is a preset.
    fn picture(&self, at: &Position) -> Markup {
        let text = self.family().write(at);
        // The game's text has no moves elsewhere.
        let (board, lead) = text.split_once(" lead ").unwrap_or((&text, "0"));
        let scene = self.certificate.scene(board).filter(|scene| scene.board.is_some());
        html! {
            @if let Some(scene) = &scene { div.picture aria-hidden="true" { (board::thumbnail(scene)) } }
            pre #position { code { (text.replace('/', "\n")) } }
            @if let Some(lead) = lead.parse::<i32>().ok().filter(|lead| *lead != 0) { p { (say::moves_elsewhere(self.lang, lead)) } }
        }
    }

    fn beginning(&self, transcript: &Transcript) -> Markup {
        let (family, root) = (self.family(), &self.header.position);
        match &self.header.claim {
            Claim::Nimber(_) | Claim::WinsByNimber(false) => self.parts_list(transcript, root),
            Claim::WinsByNimber(true) => html! {
                @if let Some((first, _)) = transcript.first_move() {
                    p { (self.begins()) " " code { (family.write_move(first)) } }
                    @if let Some(mv) = find_move(family, root, first) { (self.parts_list(transcript, &mv.after)) }
                }
            },
            Claim::Play(_) if Unmetered::new(family).end(root).is_some() => html! { p { (say::has_ended(self.lang)) } },
            Claim::Play(halves) => html! {
                @for &(mover, guarantee) in halves {
                    @if mover { (self.first_move(transcript, guarantee)) }
                    @else if let Some((n, record)) = transcript.root().and_then(|n| Some((n, transcript.claims.get(n)?))) {
                        p { (self.to_claim(n)) (self.mirrored(root, guarantee)) }
                        // The moves of the claim are those of its own canonical position.
                        @if record.at == *root { (self.claim(transcript, n, record)) }
                    }
                }
            },
        }
    }

    fn begins(&self) -> String {
        say::begins(self.lang, say::player(self.lang, self.certificate.players[0]).subject)
    }

    /// The claimer's first move.
    fn first_move(&self, transcript: &Transcript, guarantee: Guarantee) -> Markup {
        let (family, root) = (self.family(), &self.header.position);
        let first = transcript.first_move().and_then(|(first, claim)| Some((find_move(family, root, first)?, claim)));
        html! {
            p {
                @match first {
                    Some((mv, claim)) => {
                        (self.begins()) " " code { (family.write_move(mv.number)) } " → "
                        (self.to_claim(claim)) (self.mirrored(&mv.after, guarantee))
                    },
                    None => (self.ending(root, &moves(family, root), guarantee.after_a_ply())),
                }
            }
        }
    }

    /// The page of a claim.
    fn claim_page(&self, transcript: &Transcript, n: usize, record: &ClaimRecord) -> Markup {
        let Self { lang, certificate, .. } = *self;
        let all = transcript.claims.len();
        html! {
            h1 { (certificate.proved.game) " " small { (certificate.name) } }
            h2 { (say::claim_of(lang, n, all.saturating_sub(1))) }
            p.actions {
                @if let Some(previous) = n.checked_sub(1) { a #previous href=(self.url(previous)) { (say::previous(lang)) } }
                @if n + 1 < all { a #next href=(self.url(n + 1)) { (say::next(lang)) } }
                a href=(Link { at: None, ..self.link.clone() }.url("certificates")) { (say::whole(lang)) }
                (self.list_link())
            }
            div.two {
                section { (self.picture(&record.at)) }
                section { (self.claim(transcript, n, record)) }
            }
        }
    }

    /// A claim and its answers.
    fn claim(&self, transcript: &Transcript, n: usize, record: &ClaimRecord) -> Markup {
        let lang = self.lang;
        match &record.what {
            ClaimKind::Nimber(nimber) => html! {
                p.sentence { (say::nimber_of_part(lang, *nimber)) }
                (self.options(transcript, n, record, *nimber))
            },
            ClaimKind::Guarantee(guarantee, method) => html! {
                p.turn { (crate::words::position::to_move(lang, self.player(&record.at, 0))) }
                p.sentence { (say::guarantee(lang, self.player(&record.at, 1), *guarantee)) }
                @match method {
                    Method::Search => p { (say::searched(lang)) },
                    Method::Pairs(pairs) => {
                        p { (say::pairs(lang)) }
                        ul.answers { @for pair in pairs { li { code { (self.cell(pair.0)) "+" (self.cell(pair.1)) } } } }
                    },
                    Method::Moves => (self.moves(transcript, n, record, *guarantee)),
                }
            },
        }
    }

    /// Returns the player to move in a position (0), or the other (1).
    fn player(&self, at: &Position, other: usize) -> Name {
        say::player(self.lang, self.family().players(at)[other])
    }

    /// Formats a cell as its row and column.
    fn cell(&self, cell: usize) -> String {
        let cols =
            self.certificate.proved.position.split(['/', ' ']).next().map_or(1, |row| row.chars().count().max(1));
        format!("{},{}", cell / cols, cell % cols)
    }

    /// Each move, and the reply to it.
    fn moves(&self, transcript: &Transcript, n: usize, record: &ClaimRecord, guarantee: Guarantee) -> Markup {
        let family = self.family();
        let moves = moves(family, &record.at);
        let then = guarantee.after_a_ply().after_a_ply();
        html! {
            p { (say::moves(self.lang)) }
            ul.answers {
                @for mv in moves.iter().take(MAX_MOVES) {
                    li {
                        code { (family.write_move(mv.number)) } " "
                        @if let Some(end) = mv.end { (self.ends(&mv.after, end)) }
                        @else { "→ " (self.reply(transcript, n, mv, then)) }
                    }
                }
                (self.more(moves.len()))
            }
        }
    }

    fn more(&self, all: usize) -> Markup {
        html! { @if all > MAX_MOVES { li { (say::more(self.lang, all - MAX_MOVES)) } } }
    }

    /// The reply to a move.
    fn reply(&self, transcript: &Transcript, n: usize, mv: &Move, then: Guarantee) -> Markup {
        let family = self.family();
        let replies = moves(family, &mv.after);
        let number = transcript.reply(n, mv.number);
        match number.and_then(|number| replies.iter().find(|reply| reply.number == number)) {
            Some(reply) => html! {
                code { (family.write_move(reply.number)) } " → "
                @if let Some(claim) = transcript.below(n, &Unmetered::new(family).canonical(&reply.after, then)) { (self.to_claim(claim)) }
                (self.mirrored(&reply.after, then))
            },
            None => self.ending(&mv.after, &replies, then),
        }
    }

    /// The reply that ends play as claimed, for moves without a recorded reply.
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

    /// The end of play, from the view of the player who would move next.
    fn ends(&self, after: &Position, end: i32) -> String {
        let winner = (end != 0).then(|| self.player(after, usize::from(end < 0)));
        say::ends(self.lang, winner)
    }

    fn url(&self, claim: usize) -> String {
        self.link.with_position(&claim.to_string()).url("certificates")
    }

    fn to_claim(&self, claim: usize) -> Markup {
        html! { a href=(self.url(claim)) { (say::claim(self.lang, claim)) } }
    }

    /// Notes that the claim's canonical position differs from the one in play.
    fn mirrored(&self, after: &Position, guarantee: Guarantee) -> Markup {
        html! {
            @if Unmetered::new(self.family()).canonical(after, guarantee) != *after { " " small { "(" (say::mirrored(self.lang)) ")" } }
        }
    }

    /// Each option of a part, and why its nimber differs from the part's.
    fn options(&self, transcript: &Transcript, n: usize, record: &ClaimRecord, nimber: u32) -> Markup {
        let family = self.family();
        let mut options: Vec<(Move, Vec<Position>)> = Vec::new();
        for mv in moves(family, &record.at) {
            let parts = parts(family, &mv.after);
            if !options.iter().any(|option| option.1 == parts) {
                options.push((mv, parts));
            }
        }
        html! {
            p {
                @if options.is_empty() { (say::no_options(self.lang)) }
                @else if nimber == 0 { (say::no_option_is_zero(self.lang)) }
                @else { (say::options(self.lang, nimber)) }
            }
            ul.answers {
                @for (mv, parts) in options.iter().take(MAX_MOVES) {
                    li { code { (family.write_move(mv.number)) } " " (self.option(transcript, n, mv, parts, nimber)) }
                }
                (self.more(options.len()))
            }
        }
    }

    fn option(&self, transcript: &Transcript, n: usize, mv: &Move, its_parts: &[Position], nimber: u32) -> Markup {
        let family = self.family();
        let reply = transcript.reply(n, mv.number).and_then(|reply| find_move(family, &mv.after, reply));
        html! {
            @if let Some(reply) = reply {
                (say::answered_by(self.lang)) " " code { (family.write_move(reply.number)) } ", "
                (say::back_to(self.lang, nimber)) (self.parts(transcript, &parts(family, &reply.after)))
            } @else {
                @match sum(transcript, its_parts) {
                    Some(nimber) => (say::has_nimber(self.lang, nimber)),
                    None => (say::found_itself(self.lang)),
                }
                (self.parts(transcript, its_parts))
            }
        }
    }

    /// Parts and their nimbers, with links to the claims about them.
    fn parts(&self, transcript: &Transcript, parts: &[Position]) -> Markup {
        html! {
            @if !parts.is_empty() {
                ": "
                @for (n, part) in parts.iter().enumerate() {
                    @if n > 0 { " + " }
                    code { (self.family().write(part)) @if let Some(nimber) = transcript.nimber(part) { " = " (nimber) } }
                    @if let Some(claim) = transcript.part(part) { " (" (self.to_claim(claim)) ")" }
                }
            }
        }
    }

    /// The list of the parts of a position.
    fn parts_list(&self, transcript: &Transcript, at: &Position) -> Markup {
        let parts = parts(self.family(), at);
        html! {
            @if parts.is_empty() { p { (say::no_parts(self.lang)) } }
            @else {
                p { (say::parts(self.lang)) }
                ul.answers {
                    @for part in &parts {
                        li {
                            code { (self.family().write(part)) } " "
                            @match transcript.nimber(part) {
                                Some(nimber) => (say::has_nimber(self.lang, nimber)),
                                None => (say::found_itself(self.lang)),
                            }
                            @if let Some(claim) = transcript.part(part) { " → " (self.to_claim(claim)) }
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

fn find_move(family: &dyn Game, at: &Position, number: u32) -> Option<Move> {
    moves(family, at).into_iter().find(|mv| mv.number == number)
}

/// Returns the parts of a position as the checker splits it.
fn parts(family: &dyn Game, at: &Position) -> Vec<Position> {
    Unmetered::new(family).odd_parts(at)
}

/// Returns the sum of the parts' nimbers, if all are recorded.
fn sum(transcript: &Transcript, parts: &[Position]) -> Option<u32> {
    parts.iter().try_fold(0, |sum, part| Some(sum ^ transcript.nimber(part)?))
}
