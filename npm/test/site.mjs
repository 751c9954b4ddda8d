// Opens the static site in headless Chromium, below a path of a host that only sends files, and then without the host:
// node npm/test/site.mjs DIR [FOLDER FOR SCREENSHOTS]. Needs chromedriver.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, shots] = process.argv.slice(2);
if (!folder) throw new Error("expected the folder of .ci/site");

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const BASE = "/below/a/path/";
const sent = [];
let compressed = 0;

// Any other host would do: files, gzip, and 404.
const host = createServer(async ({ url }, response) => {
  const path = decodeURIComponent(new URL(url, "http://host").pathname);
  const name = path === BASE ? "index.html" : normalize(path.slice(BASE.length));
  try {
    if (!path.startsWith(BASE)) throw new Error("elsewhere");
    const bytes = gzipSync(await readFile(join(folder, name)));
    if (name.endsWith(".wasm")) compressed = bytes.length;
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream", "content-encoding": "gzip" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
  sent.push(path);
});
await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${host.address().port}${BASE}`;

const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((resolve) => {
  let text = "";
  driver.stdout.on("data", (data) => {
    const found = /started successfully on port (\d+)/.exec((text += data));
    if (found) resolve(found[1]);
  });
});

async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${path}: ${value.message}`);
  return value;
}
const args = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];
const capabilities = { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args }, "goog:loggingPrefs": { browser: "ALL" } } };
const { sessionId } = await call("POST", "/session", { capabilities });
const session = `/session/${sessionId}`;
const run = (script, ...given) => call("POST", `${session}/execute/sync`, { script, args: given });
const open = (path) => call("POST", `${session}/url`, { url: address + path });
const size = (width, height) => call("POST", `${session}/window/rect`, { width, height });

/** Waits for what a script returns, from the page in the frame. */
async function until(what, script, ms = 60_000) {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const found = await run(`const page = document.querySelector("iframe")?.contentDocument; if (!page) return null; ${script}`).catch(() => null);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const state = await run(`return document.body.innerText + " | " + (document.querySelector("iframe")?.contentDocument?.body?.innerText ?? "no page").slice(0, 600)`);
  throw new Error(`${what}: ${state}`);
}
const heading = (path) => until(path, `return page.readyState !== "loading" && page.querySelector("main h1")?.textContent`);
async function shoot(name) {
  if (shots) await writeFile(join(shots, `${name}.png`), Buffer.from(await call("GET", `${session}/screenshot`), "base64"));
}

try {
  await size(1280, 900);
  let begin = performance.now();
  await open("");
  await heading("the first page");
  await until("its style", `return getComputedStyle(page.querySelector(".hero")).display !== "block"`);
  console.log(`first page: ${(performance.now() - begin).toFixed(0)} ms, with an empty cache`);
  await shoot("home");
  // What is chosen before the module is there waits for it.
  await run(`document.querySelector("iframe").contentDocument.querySelector('nav a[href$="/puzzles"]').click()`);
  await until("puzzles", `return location.pathname.endsWith("/puzzles") && !!page.querySelector("main h1")`);
  console.log(`a page of the module: ${(performance.now() - begin).toFixed(0)} ms after the first request`);
  await call("POST", `${session}/back`, {});
  await until("the home page", `return location.pathname === ${JSON.stringify(BASE)} && !!page.querySelector("#board")`);
  begin = performance.now();
  await open("play/tictactoe?at=X../.O./..X");
  assert.match(await heading("tictactoe"), /tic-tac-toe|tictactoe/i);
  console.log(`next page: ${(performance.now() - begin).toFixed(0)} ms`);
  await shoot("desktop");

  // Moves are links, and the address follows.
  await run(`document.querySelector("iframe").contentDocument.querySelector('#moves a[data-move="0,1"]').click()`);
  await until("a move", `return location.search.includes("moves=0")`);
  assert.match(await run("return location.pathname"), /^\/below\/a\/path\/play\/tictactoe$/);
  await call("POST", `${session}/back`, {});
  await until("back", `return !location.search.includes("moves=") && !page.location.search.includes("moves=")`);

  for (const path of ["learn/nimbers", "puzzles/1", "tree/tictactoe?at=XOX/OX./..O", "review/tictactoe?moves=1,1;0,1;1,0", "value?of=%2A2", "period?of=0.77&to=50", "census/tictactoe", "help?lang=ko", "stress"]) {
    await open(path);
    console.log(`${path}: ${await heading(path)}`);
  }
  // Colours are kept.
  await run(`document.querySelector("iframe").contentWindow.location.href = ${JSON.stringify(address)} + "theme?to=dark&back=/help"`);
  await until("dark", `return page.documentElement.dataset.theme === "dark" && !!page.querySelector("main h1")`);
  await run("localStorage.removeItem('theme')");

  // A search that takes long says so, goes on filling in, and can be cancelled.
  await open("play/domineering?board=9x9");
  await until("progress", `return !document.querySelector("#note").hidden && !document.querySelector("#note button").hidden`);
  await shoot("searching");
  await run(`document.querySelector("#note button").click()`);
  await until("cancelled", `return /cancelled/.test(document.querySelector("#note output").textContent)`);
  // The next position is answered.
  await open("play/connect4?moves=4455554");
  await until("connect4", `return page.querySelector("#moves a[data-move]") && !page.querySelector("#waiting")`, 120_000);

  await size(390, 844);
  await open("play/connect4?moves=44556");
  await heading("connect4 on a phone");
  await shoot("phone");
  const overflow = await until("width", `return { inner: innerWidth, page: page.documentElement.scrollWidth }`);
  assert.ok(overflow.page <= overflow.inner, `the page is ${overflow.page} wide on a screen of ${overflow.inner}`);

  // Only files of the site were asked for, and offline everything goes on.
  assert.deepEqual(sent.filter((path) => !path.startsWith(BASE)).filter((path) => path !== "/favicon.ico"), []);
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await open("play/nim?at=3%204%205");
  await heading("nim, offline");
  console.log(`offline: ${await heading("nim, offline")}`);
  console.log(`wasm: ${compressed} bytes with gzip`);
  const log = await call("POST", `${session}/se/log`, { type: "browser" });
  const errors = log.filter(({ level, message }) => level === "SEVERE" && !/favicon|404|40[03]|ERR_CONNECTION_REFUSED/.test(message));
  assert.deepEqual(errors, []);
  assert.match(await readFile(join(folder, "index.html"), "utf8"), /<noscript>.*JavaScript/s);
} finally {
  await call("DELETE", session).catch(() => {});
  driver.kill();
  host.close();
}
