//! `balpan serve`: the explorer, by default at the loopback address.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use balpan_explorer::{Certificates, Limits, PublicLimits, SkippedFile};
use balpan_games::presets::{self, preset};

use crate::args::ServeArgs;
use crate::error::{CliError, harmless, print};
use crate::load::read_changed_rules;
use crate::strong;

/// Time between two checks for damaged strong-solution files.
const DAMAGE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The burst of requests that an address may make, as a multiple of its rate: one page makes several requests.
const BURST_FACTOR: u32 = 6;

pub(crate) fn run(args: &ServeArgs) -> Result<(), CliError> {
    args.games.iter().try_for_each(|file| add_game(file))?;
    let address = SocketAddr::new(args.address, args.port);
    let defaults = Limits::default();
    let mut limits = Limits {
        patience: args.patience,
        time: args.time,
        memory: args.memory,
        cached: defaults.cached.min(args.memory / 4),
        tablebase: strong::open_tablebase(&args.strong, None)?,
        ..defaults
    };
    if args.public {
        let (rate, behind_proxy) = (args.rate, args.behind_proxy);
        limits.public = Some(PublicLimits {
            rate,
            burst: rate.saturating_mul(BURST_FACTOR),
            behind_proxy,
            ..PublicLimits::default()
        });
    }
    if let Some(threads) = args.threads {
        limits.running = threads.into();
    }
    if let Some(folder) = &args.certificates {
        limits.certificates = load_certificates(folder, limits.running)?;
    }
    if !args.address.is_loopback() && !args.public {
        anstream::eprintln!(
            "Warning: whoever reaches {} can have this machine solve games; there is no password; --public bounds what each may ask for.",
            args.address
        );
    }
    // The thread ends with the process.
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(DAMAGE_CHECK_INTERVAL);
            strong::report_damage();
        }
    });
    serve(address, limits, "/", args.open)
}

/// Adds the game of a rules file to the presets, under the name of the file.
fn add_game(file: &Path) -> Result<(), CliError> {
    let path = file.to_string_lossy();
    if preset(&path).is_some() {
        let help = "presets are served in any case; expected the paths of rules files";
        return Err(CliError::input(format!("`{}` is a game of the library", harmless(&path)), help));
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    if !is_plain || preset(&name).is_some() {
        let what = if is_plain { "there is such a game already" } else { "no name for a page" };
        let help = "rename the file: its name without the ending becomes the name of the game, of letters, digits, `-` and `_`";
        return Err(CliError::input(format!("`{}`: {what}", harmless(&path)), help));
    }
    let rules = read_changed_rules(&path, None, &[])?;
    Ok(presets::add(&name, &rules.text)?)
}

/// Opens a page of the explorer in a browser, and serves it until Ctrl-C.
pub(crate) fn open(page: &str) -> Result<(), CliError> {
    serve(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), Limits::default(), page, true)
}

/// Serves the explorer until Ctrl-C. Prints the page's address, and opens it in a browser if `open`.
fn serve(address: SocketAddr, limits: Limits, page: &str, open: bool) -> Result<(), CliError> {
    let mut announced = Ok(());
    balpan_explorer::run(address, limits, |address| announced = announce(address, page, open))
        .map_err(|e| listen_error(address, &e))?;
    announced
}

/// Loads the certificates of a folder, and starts a thread that checks them and warns of those that are left out.
fn load_certificates(folder: &Path, threads: usize) -> Result<Arc<Certificates>, CliError> {
    let (certificates, too_many) = Certificates::from_folder(folder).map_err(|e| {
        let help = "expected a folder with files `.cert` of `balpan prove`";
        CliError::about(format!("--certificates {}", folder.display()), e, help)
    })?;
    let warn = |file: SkippedFile| anstream::eprintln!("Warning: {}", harmless(&file.to_string()).replace('\n', " "));
    let certificates = Arc::new(certificates);
    let checked = Arc::clone(&certificates);
    // The thread ends with the process.
    std::thread::spawn(move || {
        checked.check(threads, warn);
        too_many.into_iter().for_each(warn);
    });
    Ok(certificates)
}

/// Prints the URL of a page, and opens it in a browser if `open`.
fn announce(address: SocketAddr, page: &str, open: bool) -> Result<(), CliError> {
    // A server on all addresses is reached at the loopback address, too.
    let host = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", address.port()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", address.port()),
        _ => address.to_string(),
    };
    let url = format!("http://{host}{page}");
    print(&format!("balpan explorer: {url}\n"))?;
    if open {
        // In a thread: some browser commands return only when the browser is closed, and the page must be served before.
        std::thread::spawn(move || {
            if !open_in_browser(&url) {
                anstream::eprintln!("No browser can be opened; set BROWSER to yours, or open {url} in it.");
            }
        });
    }
    Ok(())
}

/// Opens a URL by the first program that can: those of the variable `BROWSER`, separated by colons, with `%s` for the URL
/// or without, and then the system's. Returns whether one could.
fn open_in_browser(url: &str) -> bool {
    const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else {
        // The last ones are those of Debian without a desktop, and of Linux on Windows.
        &[
            &["xdg-open"],
            &["gio", "open"],
            &["x-www-browser"],
            &["wslview"],
            &["rundll32.exe", "url.dll,FileProtocolHandler"],
        ]
    };
    let open = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(words[1..].iter().map(|word| word.replace("%s", url)));
        if !words.iter().any(|word| word.contains("%s")) {
            command.arg(url);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let preferred = std::env::var("BROWSER").unwrap_or_default();
    let mut preferred = preferred.split(':').map(|command| command.split_whitespace().collect::<Vec<_>>());
    preferred.any(|words| !words.is_empty() && open(&words)) || OPENERS.iter().any(|words| open(words))
}

fn listen_error(address: SocketAddr, error: &std::io::Error) -> CliError {
    let help = match error.kind() {
        std::io::ErrorKind::AddrInUse => "another program listens there: take another --port; 0 takes one that is free",
        std::io::ErrorKind::PermissionDenied => "ports below 1024 are the system's: take another --port",
        std::io::ErrorKind::AddrNotAvailable => "--address is one of this machine's own; 127.0.0.1 always is",
        _ => "expected an --address of this machine and a free --port",
    };
    CliError::about(format!("nothing can listen at {address}"), error, help)
}
