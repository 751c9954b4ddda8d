//! The explorer as a WebAssembly module. The host gives a request as JSON, and gets the response in parts.
//!
//! Imports, in the module `balpan`: `now_ms`, `unix_ms`, and the functions below. Exports: `alloc`, `init` and `respond`.
//! The host has to make a new instance when a call fails.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "the host and the module call each other through declarations that nothing checks")]

use std::cell::OnceCell;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http;
use axum::http::response::Parts;
use balpan::Watch;
use balpan_explorer::{Answers, Limits, handle, router};
use serde::{Deserialize, Serialize};

#[link(wasm_import_module = "balpan")]
unsafe extern "C" {
    /// Gets the status and the headers of the response, as JSON.
    fn head(text: *const u8, length: usize);
    /// Gets a part of the body. Returns 0 if the host wants no more.
    fn body(bytes: *const u8, length: usize) -> u32;
    /// Gets the message of a failure, after which the instance is of no use.
    fn failed(text: *const u8, length: usize);
    /// Sees the progress of a search. Returns 0 if it may go on.
    safe fn progress(positions: f64, moves_known: f64, moves: f64, share: f64) -> u32;
}

thread_local! {
    static ROUTER: OnceCell<Router> = const { OnceCell::new() };
}

/// A request. The URL is a path with its query.
#[derive(Deserialize)]
struct Request {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

/// The status and the headers of a response.
#[derive(Serialize)]
struct Head<'a> {
    status: u16,
    headers: Vec<(&'a str, &'a str)>,
}

/// Returns memory for a request, which [`respond`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Prepares the module. It is the first call. `memory` is the budget of the engines in bytes, `patience` the longest search for a
/// complete answer in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn init(memory: f64, patience: f64) {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the host reads the text before it returns.
        unsafe { failed(text.as_ptr(), text.len()) }
    }));
    let observer = |watch: &Watch| {
        let (known, moves) = watch.root_moves();
        progress(watch.positions() as f64, known as f64, moves as f64, watch.progress()) != 0
    };
    let patience = Duration::from_millis(patience as u64);
    let limits = Limits { memory: memory as usize, cached: 16 << 20, running: 1, patience, ..Limits::default() };
    let router = router(Answers::new(limits, observer).into());
    ROUTER.with(|cell| cell.set(router)).unwrap_or_default();
}

/// Answers the request of `length` bytes at `text`.
///
/// # Safety
/// [`alloc`] has returned `text` for this length, and no other call got it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn respond(text: *mut u8, length: usize) {
    // SAFETY: `alloc` has leaked a box of this many bytes there.
    let text = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)) };
    let mut is_begun = false;
    let mut begin = |parts: &Parts| {
        if !std::mem::replace(&mut is_begun, true) {
            send_head(parts);
        }
    };
    let emit = |parts: &Parts, bytes: &axum::body::Bytes| {
        begin(parts);
        // SAFETY: the host reads the bytes before it returns.
        unsafe { body(bytes.as_ptr(), bytes.len()) != 0 }
    };
    let router = ROUTER.with(|cell| cell.get().cloned()).expect("`init` is called first");
    let request = parse(&text).unwrap_or_else(|error| panic!("the request is none: {error}"));
    match handle(router, request, emit) {
        Ok(parts) => begin(&parts),
        Err(error) => panic!("the response broke off: {error}"),
    }
}

fn parse(text: &[u8]) -> Result<http::Request<Body>, String> {
    let request: Request = serde_json::from_slice(text).map_err(|e| e.to_string())?;
    let mut built = http::Request::builder().method(&*request.method).uri(request.url);
    for (name, value) in request.headers {
        built = built.header(name, value);
    }
    built.body(request.body.map_or_else(Body::empty, Body::from)).map_err(|e| e.to_string())
}

fn send_head(parts: &Parts) {
    let headers = parts.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let text = serde_json::to_vec(&Head { status: parts.status.as_u16(), headers: headers.collect() });
    let text = text.unwrap_or_default();
    // SAFETY: the host reads the text before it returns.
    unsafe { head(text.as_ptr(), text.len()) }
}
