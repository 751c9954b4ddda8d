//! A browser session, as a case uses it: each method returns when what it asks for is done.

use std::cell::{OnceCell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Timeout of every step.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Browser {
    runtime: Rc<Runtime>,
    client: Client,
    /// The server's address, with no `/` at its end.
    site: String,
    /// Paths of pages that are refused on purpose.
    refused: RefCell<Vec<String>>,
    /// Whether pages are in a frame of the page that is opened.
    pub(crate) is_framed: bool,
    /// Scripts that each page in a frame gets when it is opened. Chromium would run them in the empty document before it.
    frame_scripts: RefCell<Vec<String>>,
}

impl Browser {
    pub(crate) fn open(runtime: &Rc<Runtime>, driver: &str, site: &str, capabilities: Value) -> Self {
        let Value::Object(capabilities) = capabilities else { panic!("capabilities are an object") };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        // A browser that dies as it starts says nothing about the pages: it is started once more.
        let connect = || runtime.block_on(builder.connect(driver));
        let client = connect().or_else(|_| connect()).unwrap();
        Self {
            runtime: Rc::clone(runtime),
            client,
            site: site.to_owned(),
            refused: RefCell::default(),
            is_framed: false,
            frame_scripts: RefCell::default(),
        }
    }

    /// Opens the static site, and waits until its service worker answers.
    pub(crate) fn framed(mut self) -> Self {
        self.goto("/");
        self.wait("service worker", || self.shows("return !!navigator.serviceWorker.controller"));
        self.is_framed = true;
        self.enter_page();
        self
    }

    /// Enters the frame of the static site's page; of a server's page there is none.
    fn enter_page(&self) {
        if !self.is_framed {
            return;
        }
        let _ = self.within(self.client.clone().enter_parent_frame());
        self.wait("page", || {
            self.shows(
                "const page = document.querySelector('iframe')?.contentDocument; \
                 return page?.readyState === 'complete' && page.URL !== 'about:blank'",
            )
        });
        self.enter_frame();
        for script in &*self.frame_scripts.borrow() {
            self.run(script);
        }
    }

    /// Ends the session. Nothing is left to be done if it has ended by itself.
    pub(crate) fn close(&self) {
        let _ = self.within(self.client.clone().close());
    }

    fn within<T>(&self, done: impl Future<Output = Result<T, CmdError>>) -> Result<T, String> {
        let timed = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, done).await });
        timed.map_err(|_| "the browser does not answer".to_owned())?.map_err(|e| e.to_string())
    }

    fn done<T>(&self, done: impl Future<Output = Result<T, CmdError>>) -> T {
        self.within(done).unwrap_or_else(|error| panic!("{error} at {}", self.path()))
    }

    /// Opens a path of the server, or a whole URL.
    pub(crate) fn goto(&self, path: &str) {
        let url = if path.starts_with('/') { format!("{}{path}", self.site) } else { path.to_owned() };
        self.done(self.client.goto(&url));
        if url.starts_with(&self.site) {
            self.enter_page();
            self.wait_for_paint();
        }
    }

    /// Opens a path that answers with an error on purpose.
    pub(crate) fn goto_refused(&self, path: &str) {
        self.refused.borrow_mut().push(path.to_owned());
        self.goto(path);
    }

    /// The path and the query of the page.
    pub(crate) fn path(&self) -> String {
        let url = self.within(self.client.current_url()).map(String::from).unwrap_or_default();
        url.strip_prefix(&self.site).map_or(url.clone(), str::to_owned)
    }

    /// Goes on within the first frame of the page.
    pub(crate) fn enter_frame(&self) {
        self.done(self.client.clone().enter_frame(0));
    }

    pub(crate) fn back(&self) {
        self.done(self.client.back());
        self.enter_page();
    }

    /// Runs a script, the body of a function, and returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.run_with(script, Vec::new())
    }

    pub(crate) fn run_with(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.done(self.client.execute(script, arguments))
    }

    /// Runs a script on every page that is opened from now on, before its own.
    pub(crate) fn run_on_every_page(&self, script: &str) {
        if self.is_framed {
            return self.frame_scripts.borrow_mut().push(script.to_owned());
        }
        let command = json!({ "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": { "source": script } });
        self.done(self.client.issue_cmd(Ask { path: "goog/cdp/execute".to_owned(), body: Some(command.to_string()) }));
    }

    /// Runs a script on an element and returns its result.
    pub(crate) fn of(&self, selector: &str, script: &str) -> Value {
        let script = format!("const it = document.querySelector(arguments[0]); return it && ({script});");
        self.run_with(&script, vec![json!(selector)])
    }

    pub(crate) fn has(&self, selector: &str) -> bool {
        !self.of(selector, "true").is_null()
    }

    /// The text of an element, as a reader sees it.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.of(selector, "it.innerText ?? it.textContent");
        text.as_str().unwrap_or_else(|| panic!("no {selector} at {}", self.path())).trim().to_owned()
    }

    pub(crate) fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        let element = self.element(selector);
        self.done(element.attr(name))
    }

    /// Waits for the element, which a page that fills in may not have yet.
    fn element(&self, selector: &str) -> Element {
        let found = OnceCell::new();
        let is_found = || self.within(self.client.find(Locator::Css(selector))).is_ok_and(|it| found.set(it).is_ok());
        self.wait(selector, is_found);
        found.into_inner().unwrap()
    }

    /// Clicks on a link that leads to another page, which is there when this returns.
    pub(crate) fn follow(&self, selector: &str) {
        let before = self.path();
        self.click(selector);
        self.wait(&format!("another page after {selector}"), || self.path() != before && self.is_ready());
    }

    pub(crate) fn click(&self, selector: &str) {
        self.wait_for_paint();
        let element = self.element(selector);
        self.done(element.click());
    }

    pub(crate) fn type_anew(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.done(element.clear());
        self.done(element.send_keys(text));
    }

    fn is_ready(&self) -> bool {
        let state = self.within(self.client.execute("return document.readyState", Vec::new()));
        state.is_ok_and(|state| state == "complete")
    }

    /// Waits until a condition holds.
    pub(crate) fn wait(&self, what: &str, is_so: impl Fn() -> bool) {
        self.wait_for(PATIENCE, what, is_so);
    }

    pub(crate) fn wait_for(&self, patience: Duration, what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < patience, "no {what} at {}", self.path());
            sleep(Duration::from_millis(20));
        }
    }

    /// Whether a page shows what a script says, which may run while another page comes.
    pub(crate) fn shows(&self, script: &str) -> bool {
        self.within(self.client.execute(script, Vec::new())).is_ok_and(|shown| shown == true)
    }

    /// Waits for the page's first paint. Chromium drops what is typed or clicked before it.
    fn wait_for_paint(&self) {
        self.wait("first paint", || self.shows("return performance.getEntriesByType('paint').length > 0"));
    }

    fn perform(&self, actions: impl Into<Actions>) {
        self.wait_for_paint();
        self.done(self.client.perform_actions(actions));
    }

    /// Presses a key: a letter, or one of WebDriver's.
    pub(crate) fn press(&self, key: char) {
        let keys = KeyActions::new("keyboard".to_owned());
        let keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        self.perform(keys);
    }

    /// Puts the pointer over an element.
    pub(crate) fn hover(&self, selector: &str) {
        let element = self.element(selector);
        let to = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
        self.perform(MouseActions::new("mouse".to_owned()).then(to));
    }

    /// Drags from the first of these elements over the others to the last; of one alone, a click wherever it
    /// is, whatever lies over it.
    pub(crate) fn drag(&self, selectors: &[&str]) {
        let mut mouse = MouseActions::new("mouse".to_owned());
        for (n, selector) in selectors.iter().enumerate() {
            let element = self.element(selector);
            let duration = Some(Duration::from_millis(40));
            mouse = mouse.then(PointerAction::MoveToElement { element, duration, x: 0.0, y: 0.0 });
            if n == 0 {
                mouse = mouse.then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
            }
        }
        mouse = mouse.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform(mouse);
    }

    /// The same by a finger.
    pub(crate) fn drag_by_touch(&self, selectors: &[&str]) {
        let mut finger = TouchActions::new("finger".to_owned());
        for (n, selector) in selectors.iter().enumerate() {
            let element = self.element(selector);
            let duration = Some(Duration::from_millis(80));
            finger = finger.then(PointerAction::MoveToElement { element, duration, x: 0.0, y: 0.0 });
            if n == 0 {
                finger = finger.then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
            }
        }
        finger = finger.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform(finger);
    }

    /// Returns the role and the name of an element for assistive technology.
    pub(crate) fn role_and_name(&self, selector: &str) -> (String, String) {
        let id = self.element(selector).element_id().to_string();
        let ask = |what: &'static str| {
            let told = self.done(self.client.issue_cmd(Ask { path: format!("element/{id}/{what}"), body: None }));
            told.as_str().unwrap_or_default().to_owned()
        };
        (ask("computedrole"), ask("computedlabel"))
    }

    /// The errors in the console, but for the pages that are refused on purpose.
    pub(crate) fn errors(&self) -> Vec<String> {
        let log = Ask { path: "se/log".to_owned(), body: Some(json!({ "type": "browser" }).to_string()) };
        let entries = match self.within(self.client.issue_cmd(log)) {
            Ok(Value::Array(entries)) => entries,
            other => return vec![format!("no log: {other:?}")],
        };
        let refused = self.refused.borrow();
        let is_meant = |message: &str| {
            let of_page =
                |path: &String| message.starts_with(&format!("{}{path} - Failed to load resource", self.site));
            refused.iter().any(of_page)
        };
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        let messages = severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned());
        messages.filter(|message| !is_meant(message)).collect()
    }

    /// Keeps what is to be seen, to look at after a failure.
    pub(crate) fn keep_picture(&self, name: &str) {
        if let Ok(picture) = self.within(self.client.screenshot()) {
            let file = format!("{}/{}.png", env!("CARGO_TARGET_TMPDIR"), name.replace("::", "-"));
            if std::fs::write(&file, picture).is_ok() {
                println!("{name}: at {}, see {file}", self.path());
            }
        }
    }
}

/// Selects the links whose address begins with this path. Those of the static site's home page are relative to it.
pub(crate) fn link(path: &str) -> String {
    format!("a:is([href^=\"{path}\"], [href^=\".{path}\"])")
}

/// A command that fantoccini has no method for: GET, or POST if there is a body.
#[derive(Debug)]
struct Ask {
    path: String,
    body: Option<String>,
}

impl WebDriverCompatibleCommand for Ask {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let method = if self.body.is_some() { http::Method::POST } else { http::Method::GET };
        (method, self.body.clone())
    }
}
