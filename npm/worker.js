// A worker with an engine. It gets `{ module, options }` first, then `{ request }` one at a time, and sends `{ head }`, `{ part }`,
// `{ progress }` a few times a second, and at last `{ end: true }` or `{ error }`.

import { Engine } from "./engine.js";

const PROGRESS_MS = 200;

const port = globalThis.postMessage ? globalThis : (await import("node:worker_threads")).parentPort;
let [module, options, engine, told] = [];

function progress(counts) {
  const now = performance.now();
  if (now - told < PROGRESS_MS) return;
  told = now;
  port.postMessage({ progress: counts });
}

async function receive(message) {
  if (message.module) {
    ({ module, options } = message);
    return;
  }
  told = performance.now();
  try {
    engine ??= await Engine.create(module, { ...options, progress });
    engine.respond(message.request, { head: (head) => port.postMessage({ head }), part: (part) => port.postMessage({ part }) });
    port.postMessage({ end: true });
  } catch (error) {
    engine = undefined;
    port.postMessage({ error: error.message });
  }
}

if (port.on) port.on("message", receive);
else port.onmessage = ({ data }) => receive(data);
