// The WebAssembly module, instantiated: a request in, a response out. Its calls return when the response is complete, so it is
// best used in a worker: see index.js.

const PAGE_BYTES = 65536;
/** Pages that the module declares: its stack and its data. */
const FIRST_PAGES = 256;
const MIB = 2 ** 20;

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

export class Engine {
  /**
   * Instantiates a compiled module. `memory` is its limit in MiB; engines get two thirds of it. `patience` is the longest search
   * for a complete answer in milliseconds; `progress` is called while a search goes on, and ends it by returning true.
   */
  static async create(module, { memory = 384, patience = 5000, progress } = {}) {
    const engine = new Engine();
    engine.memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: (memory * MIB) / PAGE_BYTES });
    const bytes = (at, length) => new Uint8Array(engine.memory.buffer, at, length);
    const balpan = {
      now_ms: () => performance.now(),
      unix_ms: () => Date.now(),
      head: (at, length) => engine.sink.head(JSON.parse(decoder.decode(bytes(at, length)))),
      body: (at, length) => Number(engine.sink.part(bytes(at, length).slice()) !== false),
      failed: (at, length) => (engine.failure = decoder.decode(bytes(at, length))),
      progress: (positions, known, moves, share) => Number(progress?.({ positions, known, moves, share }) === true),
    };
    const { exports } = await WebAssembly.instantiate(module, { balpan, env: { memory: engine.memory } });
    engine.exports = exports;
    exports.init(Math.floor((memory * MIB * 2) / 3), patience);
    return engine;
  }

  /**
   * Answers a request: `url` is a path with its query, `headers` a list of pairs. `sink.head` gets the status and the headers,
   * `sink.part` each part of the body; a stream ends where it returns false.
   *
   * After an error, as where the memory does not suffice, the engine is of no use.
   */
  respond({ method = "GET", url, headers = [], body = null }, sink) {
    this.sink = sink;
    const text = encoder.encode(JSON.stringify({ method, url, headers, body }));
    try {
      const at = this.exports.alloc(text.length);
      new Uint8Array(this.memory.buffer, at, text.length).set(text);
      this.exports.respond(at, text.length);
    } catch (error) {
      throw new Error(this.failure ?? `the module has stopped, as it does without memory or stack: ${error.message}`, { cause: error });
    }
  }
}
