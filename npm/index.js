// Exact answers about two-player games, in Node.js and in browsers. Everything is computed in a worker.

import { EngineWorker } from "./pool.js";

const decoder = new TextDecoder();

async function compile() {
  const url = new URL("./balpan.wasm", import.meta.url);
  if (url.protocol !== "file:") return WebAssembly.compileStreaming(fetch(url));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

/** An error that balpan explains: what was found, and what was expected. */
export class BalpanError extends Error {
  constructor({ message, help, kind, span }, status) {
    super(help ? `${message}: ${help}` : message);
    this.name = "BalpanError";
    Object.assign(this, { help, kind, span, status });
  }
}

export class Balpan {
  #worker;

  /** `memory` is the limit of the worker in MiB, at most 512. */
  constructor({ memory = 384 } = {}) {
    this.#worker = new EngineWorker(compile(), { memory, patience: 600_000 });
  }

  /** Asks an address of the explorer; see `balpan serve`. */
  async fetch(url, { method, headers, body, ...options } = {}) {
    return this.#worker.fetch({ method, url, headers, body }, options);
  }

  async #text(url, options) {
    const { status, body } = await this.fetch(url, options);
    const text = decoder.decode(body);
    if (status < 300) return text;
    let error;
    try {
      ({ error } = JSON.parse(text));
    } catch {
      error = { message: `${url}: status ${status}` };
    }
    throw new BalpanError(error, status);
  }

  async #json(url, options) {
    return JSON.parse(await this.#text(url, options));
  }

  /** The names of all games, and a line about each. */
  async games() {
    return (await this.#json("/api/v1/games")).games;
  }

  /** A game by its name, with changes of its rules, as `{ board: "5x5" }`; or by a rules file's text: `{ rules: text }`. */
  game(name, rules = {}) {
    const changes = Object.entries(rules).map(([key, value]) => [key, String(value)]);
    const query = (at, more = {}) => {
      const all = [...changes, ...Object.entries(more)].concat(at === undefined ? [] : [["at", at]]);
      const text = new URLSearchParams(all).toString();
      return text && `?${text}`;
    };
    const path = encodeURIComponent(name);
    return {
      name,
      solve: (at, { ask, ...options } = {}) => this.#json(`/api/v1/solve/${path}${query(at, ask && { ask })}`, options),
      steps: (at, { ask, ...options } = {}) => this.#steps(`/api/v1/events/${path}${query(at, ask && { ask })}`, options),
      rules: () => this.#json(`/api/v1/games/${path}${query()}`),
      tree: (at, { depth, prune } = {}) =>
        this.#json(`/api/v1/tree/${path}${query(at, { ...(depth && { depth }), ...(prune && { prune: "yes" }) })}`),
      review: (moves, at) => this.#json(`/api/v1/review/${path}${query(at, { moves })}`),
      svg: (at) => this.#text(`/board/${path}.svg${query(at)}`),
      treeSvg: (at, { depth, prune } = {}) => this.#treeSvg(`/tree/${path}${query(at, { ...(depth && { depth }), ...(prune && { prune: "yes" }) })}`),
    };
  }

  /** The value of a position by a rules file's text. */
  async solveByRules(rules, position, options = {}) {
    const headers = [["content-type", "application/json"]];
    return this.#json("/api/v1/solve", { method: "POST", headers, body: JSON.stringify({ rules, position }), ...options });
  }

  async #treeSvg(url) {
    const page = await this.#text(url);
    const start = page.indexOf("<svg", page.indexOf("tree-picture"));
    return page.slice(start, page.indexOf("</svg>", start) + 6);
  }

  /** The answer as it grows: what is known so far, and at last the whole. */
  async *#steps(url, { signal } = {}) {
    if (signal?.aborted) throw signal.reason;
    const steps = [];
    let [wake, isOver, failure, status, pending] = [() => {}, false, null, 200, ""];
    const over = (error) => {
      [failure, isOver] = [error, true];
      wake();
    };
    const cancel = this.#worker.ask(
      { url },
      {
        head: (head) => (status = head.status),
        part: (part) => {
          const events = (pending + decoder.decode(part)).split("\n\n");
          pending = status === 200 ? events.pop() : events.join("\n\n");
          if (status !== 200) return;
          for (const event of events) {
            const name = /^event: ?(.*)$/m.exec(event)?.[1];
            const data = [...event.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join("\n");
            if (name) steps.push([name, JSON.parse(data)]);
          }
          wake();
        },
        end: () => over(null),
        fail: (error) => over(signal?.aborted ? signal.reason : error),
      },
    );
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      for (;;) {
        while (steps.length) {
          const [name, data] = steps.shift();
          if (name === "error") throw new BalpanError(data.error, 422);
          yield name === "answer" ? { done: true, answer: data } : { done: false, ...data };
        }
        if (isOver) break;
        await new Promise((resolve) => (wake = resolve));
      }
      if (failure) throw failure;
      if (status !== 200) throw new BalpanError(JSON.parse(pending).error, status);
    } finally {
      signal?.removeEventListener("abort", cancel);
      // Nobody waits for the rest.
      cancel();
    }
  }

  /** Stops what is searched, and frees the memory. The next question starts again. */
  stop() {
    this.#worker.stop();
  }
}

let common;
const all = () => (common ??= new Balpan());

/** A game of a worker that all callers share. */
export const game = (name, rules) => all().game(name, rules);
export const games = () => all().games();
export const solveByRules = (rules, position, options) => all().solveByRules(rules, position, options);
export const stop = () => all().stop();
