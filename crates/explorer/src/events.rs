//! Growing answers as server-sent events: parts of a page for its script, and JSON for programs. A stream ends with its
//! answer.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Serialize;

use crate::answers::{Answers, Query, Update, Updates};
use crate::error::RequestError;
use crate::pages::position::{self, SearchResult};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::Lang;

/// The change of a page.
#[derive(Serialize)]
struct PageChange {
    title: String,
    /// All parts of the page that may have changed.
    html: String,
    /// Whether this is the last change.
    end: bool,
    /// The URL of the page to show instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    go: Option<String>,
}

/// The progress of the search.
#[derive(Serialize)]
struct SearchProgress {
    text: String,
    done: Option<f64>,
}

/// Streams the changes of a position's page.
pub(crate) async fn page_events(
    State(answers): State<Arc<Answers>>,
    request: GetRequest,
) -> Result<Response, RequestError> {
    let link = request.link(&[])?;
    let scene = run_blocking(move || Scene::new(link)).await?;
    let updates = follow(&answers, position::query(&scene))?;
    Ok(event_stream(updates, move |update| page_event(request.reader.lang, &scene, update)))
}

/// Follows a question.
///
/// # Errors
/// Busy, if too many questions are followed.
pub(crate) fn follow(answers: &Answers, query: Query) -> Result<Updates, RequestError> {
    answers.follow(query).ok_or_else(RequestError::busy)
}

/// Streams all updates as events that `event` makes of them.
pub(crate) fn event_stream(updates: Updates, event: impl FnMut(Update) -> Event + Send + 'static) -> Response {
    let events = unfold((updates, event), |(mut updates, mut event)| async move {
        let update = updates.next().await?;
        Some((Ok::<_, Infallible>(event(update)), (updates, event)))
    });
    Sse::new(events).into_response()
}

/// Returns an event with JSON data, whose serialisation cannot fail.
pub(crate) fn json_event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(data)
}

fn page_event(lang: Lang, scene: &Scene, update: Update) -> Event {
    let reply = match update {
        Update::Progress(progress) => {
            let text = position::progress_text(lang, &progress);
            return json_event("further", &SearchProgress { text, done: position::done_share(&progress) });
        }
        Update::Reply(reply) => reply,
    };
    match SearchResult::new(reply) {
        Ok(result) => {
            let result = result.growing();
            let change = PageChange {
                title: format!("{} · balpan", position::title(lang, scene, &result)),
                html: position::parts(lang, scene, &result).into_string(),
                end: !position::is_waiting(scene, &result),
                go: position::engine_move_url(scene, &result),
            };
            json_event("more", &change)
        }
        // The page itself shows the error.
        Err(_) => {
            let here = Some(scene.link.play());
            json_event("more", &PageChange { title: String::new(), html: String::new(), end: true, go: here })
        }
    }
}
