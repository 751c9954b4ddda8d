//! Answers as they grow, as server-sent events: parts of a page for the page's own script, and
//! JSON for programs. A stream ends with its answer.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Serialize;

use crate::answers::{Answers, Asked, Step, Steps};
use crate::page::Reader;
use crate::pages::position::{self, Told};
use crate::refusal::Refusal;
use crate::routes::{Name, reader_and_link};
use crate::scene::Scene;

/// What changes on a page that is shown.
#[derive(Serialize)]
struct Change {
    title: String,
    /// All of the page that may have changed.
    html: String,
    /// Whether there will be no more.
    end: bool,
    /// Where to go instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    go: Option<String>,
}

/// How far the search is.
#[derive(Serialize)]
struct HowFar {
    told: String,
    done: Option<f64>,
}

/// What follows of a page that fills in.
pub(crate) async fn of_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    let scene = position::followed(link?).await?;
    let steps = follow(&answers, position::asked(&scene))?;
    Ok(streamed(steps, move |step| page_event(reader, &scene, step)))
}

/// Follows a question, if not too many are followed.
pub(crate) fn follow(answers: &Answers, asked: Asked) -> Result<Steps, Refusal> {
    answers.follow(asked).ok_or_else(Refusal::busy)
}

/// A stream of all steps, each told by `event`.
pub(crate) fn streamed(steps: Steps, event: impl FnMut(Step) -> Event + Send + 'static) -> Response {
    let next = |(mut steps, mut event): (Steps, _)| async move {
        let step = steps.next().await?;
        let told = tell(&mut event, step);
        Some((Ok::<_, Infallible>(told), (steps, event)))
    };
    Sse::new(unfold((steps, event), next)).into_response()
}

fn tell(event: &mut impl FnMut(Step) -> Event, step: Step) -> Event {
    event(step)
}

/// An event of this name; what is told has neither keys nor numbers that JSON lacks.
pub(crate) fn named(name: &str, told: &impl Serialize) -> Event {
    let data = serde_json::to_string(told).unwrap_or_default();
    Event::default().event(name).data(data)
}

fn page_event(reader: Reader, scene: &Scene, step: Step) -> Event {
    let lang = reader.lang;
    let reply = match step {
        Step::Further(progress) => {
            let told = position::progress_told(lang, &progress);
            return named("further", &HowFar { told, done: position::done(&progress) });
        }
        Step::More(reply) => reply,
    };
    match Told::of(reply) {
        Ok(told) => {
            let told = told.growing();
            let change = Change {
                title: format!("{} · balpan", position::title(lang, scene, &told)),
                html: position::parts(lang, scene, &told).into_string(),
                end: !position::is_waiting(scene, &told),
                go: position::reply(scene, &told),
            };
            named("more", &change)
        }
        // The page itself says why there is no answer.
        Err(_) => {
            let here = Some(scene.link.play());
            named("more", &Change { title: String::new(), html: String::new(), end: true, go: here })
        }
    }
}
