// The frame around all pages: it holds the workers that compute them, and shows the page of its own address. The service worker
// hands it the requests of the page.

import { EngineWorker, StoppedError } from "./pool.js";

const base = new URL(".", import.meta.url);
const korean = () => (navigator.language ?? "").startsWith("ko");
const words = {
  searching: (millions, seconds) => (korean() ? `탐색 중: 국면 ${Math.round(millions * 100).toLocaleString()}만 개, ${seconds}초` : `Searching: ${millions} million positions, ${seconds} s`),
  loading: () => (korean() ? "여는 중…" : "Loading…"),
  cancel: () => (korean() ? "취소" : "Cancel"),
  cancelled: () => (korean() ? "탐색을 취소했습니다. 여기까지 알아낸 것을 보여 줍니다." : "The search was cancelled. What is known so far is shown."),
  failed: (reason) =>
    korean()
      ? `탐색이 멈췄습니다 (${reason}). 브라우저에서는 메모리가 ${MEMORY[1]} MiB까지입니다. balpan 명령에는 이런 한계가 없습니다.`
      : `The search has stopped (${reason}). It may use ${MEMORY[1]} MiB in the browser; the command balpan has no such limit.`,
  unsupported: () =>
    korean()
      ? "이 사이트에는 서비스 워커와 WebAssembly가 필요합니다. https 주소로, 개인 정보 보호 창이 아닌 창에서 여세요."
      : "This site needs service workers and WebAssembly: open it by https, and not in a private window.",
};

/** MiB of the worker for pages, and of the one for long searches: 512 together. */
const MEMORY = [128, 384];
/** A search that takes longer than this is shown. */
const SHOWN_AFTER_MS = 1500;
/** A page that takes longer than this makes way for the next one. */
const PAGE_MS = 1000;
/** Addresses of files that are the home page. */
const HOME = /\/(index|404|home\.\w+)\.html$/;

const [note, output, button] = ["#note", "#note output", "#note button"].map((name) => document.querySelector(name));
button.textContent = words.cancel();

async function load() {
  await home;
  const file = new URL("balpan.wasm", base);
  // A host may send another type.
  return WebAssembly.compileStreaming(fetch(file)).catch(async () => WebAssembly.compile(await (await fetch(file)).arrayBuffer()));
}

/** Resolves when the home page is shown, which is a file: the module is loaded after it. */
const home = isHome() ? showHome() : Promise.resolve();
const module = load();
const workerUrl = new URL("worker.js", base);
const pages = new EngineWorker(module, { memory: MEMORY[0], patience: 5000 }, workerUrl);
const searches = new EngineWorker(module, { memory: MEMORY[1], patience: 30_000 }, workerUrl);

/** The requests that were cancelled by the reader: they are not searched again. */
const cancelled = new Set();
/** The page that is being computed: when it was asked for, and how to take it back. */
let page = { begin: 0, cancel() {} };
/** The request that is searched, and how to take it back. */
let current = null;

function tell(text, canCancel) {
  [output.textContent, button.hidden, note.hidden] = [text, !canCancel, false];
}
button.addEventListener("click", () => {
  if (!current) return;
  cancelled.add(current.url);
  current.cancel();
});

function answer(request, port) {
  const isLong = /^\/(events|api)\//.test(request.url);
  if (cancelled.has(request.url)) {
    // Left open, so that the page does not ask again.
    port.postMessage({ head: { status: 200, headers: [["content-type", "text/event-stream"]] } });
    return;
  }
  const theme = localStorage.getItem("theme");
  const languages = navigator.languages.map((name, n) => `${name};q=${Math.max(0.1, 1 - n / 10)}`).join(",");
  request.headers.push(["accept-language", languages]);
  if (theme) request.headers.push(["cookie", `theme=${theme}`]);
  const begin = performance.now();
  if (request.isPage && begin - page.begin > PAGE_MS) page.cancel();
  const [worker, own] = [isLong ? searches : pages, { url: request.url, begin }];
  let [isBegun, hasLeft] = [false, false];
  const over = () => {
    if (current === own) current = null;
    if (!hasLeft) note.hidden = true;
  };
  port.onmessage = () => {
    hasLeft = true;
    if (current === own) note.hidden = true;
    own.cancel();
  };
  own.cancel = worker.ask(request, {
    head(head) {
      isBegun = true;
      if (isLong) current = own;
      const cookie = head.headers.find(([name]) => name === "set-cookie")?.[1].match(/^theme=(\w+)/);
      if (cookie) localStorage.setItem("theme", cookie[1]);
      port.postMessage({ head });
    },
    part: (part) => port.postMessage({ part }, [part.buffer]),
    progress({ positions }) {
      const seconds = Math.round((performance.now() - begin) / 1000);
      if (isLong) current = own;
      if (performance.now() - begin > SHOWN_AFTER_MS) tell(words.searching((positions / 1e6).toFixed(1), seconds), isLong);
    },
    end() {
      over();
      port.postMessage({ end: true });
    },
    fail(error) {
      over();
      if (hasLeft) return;
      if (error instanceof StoppedError ? cancelled.has(request.url) : isLong) {
        cancelled.add(request.url);
        tell(error instanceof StoppedError ? words.cancelled() : words.failed(error.message), false);
        setTimeout(() => current || (note.hidden = true), 8000);
      }
      // A stream stays open, so that the page does not ask again.
      if (!isBegun || !isLong) port.postMessage({ error: error.message });
    },
  });
  if (request.isPage) page = own;
}

/** Shows a page. Resolves when it is there for the first time. */
function show(address) {
  const frame = document.createElement("iframe");
  frame.title = "balpan";
  frame.src = address;
  let titles;
  document.querySelector("iframe")?.remove();
  document.body.prepend(frame);
  return new Promise((resolve) => {
    frame.addEventListener("load", () => {
      resolve(frame);
      const page = frame.contentDocument;
      if (!page) return;
      const follow = () => (document.title = page.title);
      follow();
      titles?.disconnect();
      titles = new MutationObserver(follow);
      titles.observe(page.head, { childList: true, subtree: true, characterData: true });
      document.documentElement.lang = page.documentElement.lang;
      const { pathname, href } = frame.contentWindow.location;
      history.replaceState(null, "", HOME.test(pathname) ? base : href);
      frame.contentWindow.focus();
    });
  });
}

/** Whether the home page in the file is the one asked for. A reader's choice of colours is known to the module only. */
function isHome() {
  if (HOME.test(location.pathname)) history.replaceState(null, "", base);
  return location.pathname === base.pathname && !location.search && !localStorage.getItem("theme");
}

/** Shows the home page from its file. Until the module answers, what is chosen there waits. */
async function showHome() {
  const frame = await show(new URL(`home.${korean() ? "ko" : "en"}.html`, base));
  const page = frame.contentDocument;
  const wait = (choose) => (event) => {
    const address = isReady || event.defaultPrevented ? null : choose(event);
    if (!address) return;
    event.preventDefault();
    tell(words.loading(), false);
    ready.then(() => {
      note.hidden = true;
      frame.contentWindow.location.assign(address);
    });
  };
  page.addEventListener("click", wait(({ target }) => {
    const link = target.closest("a[href]");
    const address = link && new URL(link.href.baseVal ?? link.href, base);
    return address && !address.hash && address.href;
  }));
  page.addEventListener("submit", wait(({ target, submitter }) => `${target.action}?${new URLSearchParams(new FormData(target, submitter))}`));
}

async function begin() {
  await home;
  if (!navigator.serviceWorker || typeof WebAssembly !== "object") throw new Error();
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    port.postMessage({ accepted: true });
    answer(data.request, port);
  });
  navigator.serviceWorker.startMessages();
  await navigator.serviceWorker.register(new URL("sw.js", base), { scope: base.pathname });
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  }
  isReady = true;
  if (!document.querySelector("iframe")) show(location.href);
}

let isReady = false;
const ready = begin();
ready.catch((error) => {
  document.querySelector("iframe")?.remove();
  const text = document.createElement("p");
  text.className = "alone";
  text.textContent = `${words.unsupported()} ${error.message}`;
  document.body.append(text);
});
