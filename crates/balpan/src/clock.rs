//! The time. `std::time::Instant` panics on `wasm32-unknown-unknown`, where the host tells the time.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Instant;

/// Returns the time since 1970 UTC.
#[must_use]
pub fn unix_time() -> Duration {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return host::duration(host::unix_ms());
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::time::Duration;

    #[link(wasm_import_module = "balpan")]
    #[allow(unsafe_code, reason = "the functions of the host have no safe declaration")]
    unsafe extern "C" {
        /// Milliseconds on a clock that never goes back.
        safe fn now_ms() -> f64;
        /// Milliseconds since 1970 UTC.
        pub(super) safe fn unix_ms() -> f64;
    }

    pub(super) fn duration(ms: f64) -> Duration {
        Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
    }

    /// A time on the host's clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current time.
        #[must_use]
        pub fn now() -> Self {
            Self(duration(now_ms()))
        }

        /// Returns the time since this one.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }

    impl std::ops::Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}
