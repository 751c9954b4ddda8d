//! Strong solutions for other machines, which use them by `--strong http://HOST:PORT`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use balpan_strong::{ServedList, ServedPosition};

use super::json::json;
use crate::answers::Answers;
use crate::error::{ErrorBody, RequestError};
use crate::scene::run_blocking;

/// The highest layer that a file can have.
const MAX_LAYER: u32 = u16::MAX as u32;

/// The strong solutions that are served.
#[utoipa::path(
    get,
    path = "/api/v1/strong",
    responses((status = 200, body = ServedList, description = "What can be asked for; files are not named"))
)]
pub(super) async fn list(State(answers): State<Arc<Answers>>) -> Response {
    json(StatusCode::OK, &answers.tablebase().served())
}

/// The entry of a position in a strong solution, by its layer and its key in hexadecimal.
#[utoipa::path(
    get,
    path = "/api/v1/strong/{id}/{layer}/{key}",
    params(
        ("id" = String, Path, description = "The solution, as the list has it"),
        ("layer" = u32, Path, maximum = 65535, description = "The position's layer: a number that every move lowers"),
        ("key" = String, Path, min_length = 1, max_length = 32, description = "The key of its canonical form, at most 32 hexadecimal digits")
    ),
    responses(
        (status = 200, body = ServedPosition, description = "What is known: nothing, if it is not in a file here"),
        (status = 400, body = ErrorBody, description = "The path has no layer or no key, or the layer is too high"),
        (status = 404, body = ErrorBody, description = "There is no such solution"),
        (status = 503, body = ErrorBody, description = "Its file is damaged")
    )
)]
pub(super) async fn position(
    State(answers): State<Arc<Answers>>,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<Response, RequestError> {
    let help = "expected `/api/v1/strong/ID/LAYER/KEY`, a decimal and a hexadecimal number";
    let parsed = path.ok().and_then(|Path((id, layer, key))| {
        let is_key = key.len() <= 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some((id, layer.parse().ok()?, u128::from_str_radix(&key, 16).ok().filter(|_| is_key)?))
    });
    let (id, layer, key) = parsed.ok_or_else(|| RequestError::bad_request("no layer, or no key", help))?;
    if layer > MAX_LAYER {
        return Err(RequestError::bad_request(format!("layer {layer}"), format!("a layer is at most {MAX_LAYER}")));
    }
    // The lookup may read from the disk.
    let entry = run_blocking(move || match answers.tablebase().serve(&id, layer, key) {
        Some(Ok(entry)) => Ok(entry),
        Some(Err(_)) => {
            let help = "the operator of this server can see which";
            Err(RequestError::new(StatusCode::SERVICE_UNAVAILABLE, "a file of this solution is damaged", help))
        }
        None => Err(RequestError::new(
            StatusCode::NOT_FOUND,
            "there is no such solution",
            "/api/v1/strong lists what there is",
        )),
    });
    Ok(json(StatusCode::OK, &entry.await?))
}
