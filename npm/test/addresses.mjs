// Opens addresses of every kind in the module, and compares the responses with a server's, byte for byte but for what is measured.
// node npm/test/addresses.mjs http://127.0.0.1:PORT

import { readFile } from "node:fs/promises";
import { Engine } from "../engine.js";
import { join } from "../pool.js";

const server = process.argv[2];
if (!server) throw new Error("expected the address of a server, as `balpan serve` prints it");

const ADDRESSES = [
  "/", "/?q=connect&lang=ko", "/help", "/games/tictactoe", "/games/breakthrough?lang=ko",
  "/play/tictactoe?at=X../.O./..X", "/play/tictactoe?at=X../.O./..X&lang=ko", "/play/nim?at=3 4 5", "/play/connect4?moves=4455", "/play/cram?board=3x4", "/play/nogame", "/play/tictactoe?at=X.Y/.O./..X",
  "/review/tictactoe?moves=1,1;0,1;1,0", "/edit/platforms", "/tree/tictactoe?at=XOX/OX./..O&prune=yes&step=3",
  "/learn", "/learn/nimbers", "/puzzles", "/puzzles/1", "/puzzles/sheet?of=1", "/stress",
  "/parts/cram?at=..%23./%23..%23", "/parts/domineering?at=..%23/..%23/%23%23%23", "/sum?of=nim 3 5 %2B kayles 7",
  "/value?of=domineering(../..) %2B *2", "/period?of=0.77&to=200", "/quotient?of=0.77&to=8", "/census/tictactoe",
  "/board/tictactoe.svg?at=X../.O./...", "/embed/tictactoe?at=X../.O./...", "/certificates", "/assets/explorer.js", "/assets/style.css", "/theme?to=dark&back=/help",
  "/api/v1/games", "/api/v1/games/tictactoe", "/api/v1/solve/tictactoe?at=X../.O./..X", "/api/v1/solve/kayles", "/api/v1/tree/tictactoe?at=XOX/OX./..O", "/api/v1/review/tictactoe?moves=1,1;0,1;1,0", "/api/v1/strong", "/api/v1/openapi.json", "/nowhere",
].map((url) => url.replaceAll(" ", "%20"));

/** Headers of a connection, and what a compressed response adds. */
const OF_THE_CONNECTION = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

const module = await WebAssembly.compile(await readFile(new URL("../balpan.wasm", import.meta.url)));
const engine = await Engine.create(module, { memory: 512 });

/** Leaves out what is measured, and what rests on how far a search went. */
const content = (text) =>
  text
    .replace(/"positions_searched":\d+,"seconds":[\d.e-]+/g, '"positions_searched":0,"seconds":0')
    .replace(/[\d,]+(\u00a0| )?(positions searched|positions|국면)/g, "N positions");

let wrong = 0;
for (const url of ADDRESSES) {
  const headers = [["accept-language", "en"], ["host", new URL(server).host]];
  const theirs = await fetch(server + url, { headers: { "accept-language": "en", "accept-encoding": "identity" }, redirect: "manual" });
  const theirHead = [...theirs.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name) && name !== "vary" && name !== "etag");
  const theirText = await theirs.text();
  let head;
  const parts = [];
  const begin = performance.now();
  engine.respond({ url, headers }, { head: (it) => (head = it), part: (part) => parts.push(part) });
  const ms = performance.now() - begin;
  const text = new TextDecoder().decode(join(parts));
  const ownHead = head.headers.filter(([name]) => !OF_THE_CONNECTION.includes(name) && name !== "vary" && name !== "etag").sort();
  const same = theirs.status === head.status && JSON.stringify(theirHead.sort()) === JSON.stringify(ownHead) && content(theirText) === content(text);
  console.log(`${same ? "same" : "DIFFERENT"} ${head.status} ${text.length} bytes ${ms.toFixed(0)} ms ${url}`);
  if (same) continue;
  wrong += 1;
  if (theirs.status !== head.status) console.log(`  status ${theirs.status}, here ${head.status}`);
  const [a, b] = [content(theirText), content(text)];
  const at = [...a].findIndex((char, n) => char !== b[n]);
  if (a !== b) console.log(`  their ${JSON.stringify(a.slice(Math.max(0, at - 60), at + 90))}\n  own   ${JSON.stringify(b.slice(Math.max(0, at - 60), at + 90))}`);
  if (JSON.stringify(theirHead) !== JSON.stringify(ownHead)) console.log(`  ${JSON.stringify(theirHead)}\n  ${JSON.stringify(ownHead)}`);
}
if (wrong) throw new Error(`${wrong} of ${ADDRESSES.length} addresses differ`);
console.log(`${ADDRESSES.length} addresses, all the same; ${engine.memory.buffer.byteLength >> 20} MiB`);
