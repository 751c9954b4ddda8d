//! The server and the chromedriver that cases share one after the other, and
//! the browser session of each case, which ends with it.

use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::rc::Rc;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::browser::Browser;
use crate::programs::{Program, found};

/// Settings of a session; the default is a desktop, in English, in light colours.
#[derive(Clone, Copy, Default)]
pub(crate) struct Setting {
    pub(crate) phone: bool,
    pub(crate) dark: bool,
    pub(crate) no_javascript: bool,
    /// The languages that it asks for; empty: English.
    pub(crate) languages: &'static str,
}

/// What the rest of a case needs a server for, where the pages are those of the static site.
struct NeedsServer(&'static str);

pub(crate) struct Stage {
    pub(crate) is_required: bool,
    runtime: Rc<Runtime>,
    server: Program,
    /// Whether the server is a host of the static site, whose pages are in a frame.
    is_site: bool,
    driver: Program,
    chromium: PathBuf,
    open: RefCell<Vec<Rc<Browser>>>,
}

/// Names of the browser.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A folder with some of the repository's certificates: those that are soon checked.
pub(crate) fn certificates() -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    fs::create_dir_all(&folder).unwrap();
    for name in ["tictactoe", "platforms-8x8", "cram-5x7"] {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../certificates/{name}.cert"));
        fs::copy(file, folder.join(format!("{name}.cert"))).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

impl Stage {
    /// The program that is missing, if one is.
    pub(crate) fn missing() -> Option<&'static str> {
        let missing = |names: &[&str], said| found(names).is_none().then_some(said);
        missing(&["chromedriver"], "no chromedriver").or_else(|| missing(&CHROMIUM, "no chromium"))
    }

    /// Everything started, where nothing is [`missing`](Self::missing).
    pub(crate) fn set(is_required: bool, certificates: &str) -> Self {
        let site = std::env::var("BALPAN_SITE").ok();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self {
            is_required,
            runtime: Rc::new(runtime),
            is_site: site.is_some(),
            server: match site {
                Some(folder) => Program::host(&folder),
                None => Program::server(&["--certificates", certificates]),
            },
            driver: Program::chromedriver(),
            chromium: found(&CHROMIUM).unwrap(),
            open: RefCell::default(),
        }
    }

    /// Runs a case, ends its sessions and looks through what their consoles say.
    pub(crate) fn act(&self, name: &str, case: fn(&Self)) -> bool {
        let outcome = catch_unwind(AssertUnwindSafe(|| case(self)));
        let needs_server = outcome.as_ref().err().and_then(|error| error.downcast_ref::<NeedsServer>());
        if let Some(NeedsServer(reason)) = needs_server {
            println!("{name}: the rest is left out: it needs a server, {reason}");
        }
        let mut is_ok = outcome.is_ok() || needs_server.is_some();
        for browser in self.open.take() {
            if !is_ok {
                browser.keep_picture(name);
            }
            for error in browser.errors() {
                println!("{name}: the console says: {error}");
                is_ok = false;
            }
            browser.close();
        }
        is_ok
    }

    /// A browser at nothing yet.
    pub(crate) fn browser(&self, setting: Setting) -> Rc<Browser> {
        if self.is_site && setting.no_javascript {
            resume_unwind(Box::new(NeedsServer("without JavaScript")));
        }
        let capabilities = capabilities(self.chromium.to_str().unwrap(), setting);
        let browser = Browser::open(&self.runtime, &self.driver.url, &self.server.url, capabilities);
        let browser = Rc::new(if self.is_site { browser.framed() } else { browser });
        self.open.borrow_mut().push(Rc::clone(&browser));
        browser
    }

    /// A usual browser at this page.
    pub(crate) fn at(&self, path: &str) -> Rc<Browser> {
        let browser = self.browser(Setting::default());
        browser.goto(path);
        browser
    }
}

fn capabilities(chromium: &str, setting: Setting) -> Value {
    let mut args = vec![
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ];
    args.push(if setting.dark {
        "--blink-settings=preferredColorScheme=0"
    } else {
        "--blink-settings=preferredColorScheme=1"
    });
    let languages = if setting.languages.is_empty() { "en-US,en" } else { setting.languages };
    // Without a folder that it is told, chromedriver makes one for each session, and removes it.
    let mut prefs = json!({ "intl.accept_languages": languages });
    if setting.no_javascript {
        prefs["profile.managed_default_content_settings.javascript"] = json!(2);
    }
    let mut options = json!({ "binary": chromium, "args": args, "prefs": prefs });
    if setting.phone {
        // A window would not get as narrow.
        let metrics = json!({ "width": 375, "height": 740, "pixelRatio": 1.0, "mobile": true, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } })
}
