// Solves the positions of a file in the module, one thread: node npm/test/speed.mjs GAME FILE COUNT [key=value..]. Each line begins with a position.
// Compare with: balpan solve GAME --positions FILE --threads 1

import { readFile } from "node:fs/promises";
import { Engine } from "../engine.js";
import { join } from "../pool.js";

const [game, file, count, ...changes] = process.argv.slice(2);
const positions = (await readFile(file, "utf8")).split("\n").filter(Boolean).slice(0, Number(count));
const module = await WebAssembly.compile(await readFile(new URL("../balpan.wasm", import.meta.url)));
// A second time, when the module is compiled with all optimisations. Processor time: other programs may run beside.
for (const round of ["first", "second"]) {
  const engine = await Engine.create(module, { memory: 512, patience: 600_000 });
  const begin = process.cpuUsage();
  let [searched, plies] = [0, 0];
  for (const line of positions) {
    const query = new URLSearchParams([["at", line.split(" ")[0]], ["ask", "value"], ...changes.map((change) => change.split("="))]);
    const parts = [];
    let status;
    engine.respond({ url: `/api/v1/solve/${game}?${query}` }, { head: (head) => ({ status } = head), part: (part) => parts.push(part) });
    const answer = JSON.parse(new TextDecoder().decode(join(parts)));
    if (status !== 200) throw new Error(`${line}: ${JSON.stringify(answer)}`);
    searched += answer.positions_searched;
    plies += answer.remoteness ?? 0;
  }
  const { user } = process.cpuUsage(begin);
  const seconds = user / 1e6;
  console.log(`${round}: ${positions.length} positions of ${game}: ${seconds.toFixed(2)} s of the processor, ${(searched / 1e6).toFixed(2)} million searched, ${(searched / seconds / 1e6).toFixed(2)} million a second; plies ${plies}`);
}
