// A worker with an engine, asked from another thread, in Node.js and in browsers.

const isNode = typeof process !== "undefined" && !!process.versions?.node;

async function start(url) {
  if (!isNode) return new Worker(url, { type: "module" });
  const { Worker: NodeWorker } = await import("node:worker_threads");
  return new NodeWorker(url);
}

/** An error of a search that was stopped on request. */
export class StoppedError extends Error {
  constructor() {
    super("the search was stopped");
    this.name = "StoppedError";
  }
}

export class EngineWorker {
  #module;
  #options;
  #url;
  /** A promise of the worker, if there is one. */
  #worker;
  /** The questions; the first one is being answered. */
  #queue = [];

  /** `module` is a compiled module or a promise of one; `options` are those of `Engine.create`. */
  constructor(module, options, url = new URL("./worker.js", import.meta.url)) {
    [this.#module, this.#options, this.#url] = [module, options, url];
  }

  get busy() {
    return this.#queue.length > 0;
  }

  async #start() {
    const own = this.#worker;
    const [module, worker] = [await this.#module, await start(this.#url)];
    const ifCurrent = (then) => (value) => own === this.#worker && then(value);
    const receive = ifCurrent((message) => this.#receive(message));
    const fail = ifCurrent((error) => this.#end(new Error(error.message ?? "the worker has ended")));
    if (isNode) worker.on("message", receive).on("error", fail);
    else Object.assign(worker, { onmessage: ({ data }) => receive(data), onerror: fail });
    worker.postMessage({ module, options: this.#options });
    return worker;
  }

  #send() {
    const job = this.#queue[0];
    this.#worker ??= Promise.resolve().then(() => this.#start());
    const own = this.#worker;
    own.then(
      (worker) => {
        if (own !== this.#worker || job !== this.#queue[0]) return;
        if (isNode) worker.ref();
        worker.postMessage({ request: job.request });
      },
      (error) => own === this.#worker && this.#end(error),
    );
  }

  #receive({ head, part, end, error, progress }) {
    const { sink } = this.#queue[0] ?? {};
    if (!sink) return;
    if (head) sink.head?.(head);
    else if (part) sink.part?.(part);
    else if (progress) sink.progress?.(progress);
    if (!end && error === undefined) return;
    this.#queue.shift();
    if (end) sink.end();
    else sink.fail(new Error(error));
    this.#next();
  }

  #next() {
    if (this.busy) this.#send();
    // An idle worker does not keep the process alive.
    else if (isNode) this.#worker?.then((worker) => worker.unref());
  }

  #terminate() {
    this.#worker?.then((worker) => worker.terminate(), () => {});
    this.#worker = undefined;
  }

  /** Ends the worker with an error for all that wait. */
  #end(error) {
    const jobs = this.#queue.splice(0);
    this.#terminate();
    jobs.forEach(({ sink }) => sink.fail(error));
  }

  /**
   * Asks. `sink` gets `head`, `part`, `progress`, and at last `end` or `fail`. Questions are answered one after the other. Returns a
   * function that takes the question back, with its search; the next one then starts with a new worker.
   */
  ask(request, sink) {
    const job = { request, sink };
    if (this.#queue.push(job) === 1) this.#send();
    return () => {
      const at = this.#queue.indexOf(job);
      if (at < 0) return;
      this.#queue.splice(at, 1);
      if (at === 0) {
        this.#terminate();
        this.#next();
      }
      sink.fail(new StoppedError());
    };
  }

  /** Asks, and collects the whole response. */
  fetch(request, { progress, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const parts = [];
      let head;
      const over = (then) => (value) => {
        signal?.removeEventListener("abort", cancel);
        then(value);
      };
      const cancel = this.ask(request, {
        head: (it) => (head = it),
        part: (part) => parts.push(part),
        progress,
        end: over(() => resolve({ ...head, body: join(parts) })),
        fail: over((error) => reject(signal?.aborted ? signal.reason : error)),
      });
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Stops all that is asked, and frees the memory. The next question starts another worker. */
  stop() {
    this.#end(new StoppedError());
  }
}

export function join(parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
