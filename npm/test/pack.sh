#!/usr/bin/env bash
# Installs the packed package into a fresh project, runs its README there, and checks its types: npm/test/pack.sh TARBALL.
set -euo pipefail
tarball=$(realpath "${1:?expected the tarball of npm pack}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "name": "fresh", "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund "$tarball" typescript@5 @types/node@20
sed -n '/^```js$/,/^```$/p' node_modules/balpan/README.md | sed '1d;$d' >readme.mjs
node readme.mjs | tee output
grep -qx 'true' output && grep -Eqx '(win|loss) in [0-9]+ plies by .+' output
cat >types.ts <<'T'
import { Balpan, BalpanError, game, games, type Answer, type Step } from "balpan";
const answer: Answer = await game("connect4").solve("4455", { ask: "outcome", signal: AbortSignal.timeout(60_000) });
const best: string[] = answer.best;
for await (const step of game("nim").steps("3 4 5")) {
  const it: Step = step;
  if (it.done) console.log(it.answer.outcome, best.length);
}
const own = new Balpan({ memory: 256 });
const names: string[] = (await own.games()).map((it) => it.name);
try {
  await own.game("tictactoe", { misere: true }).solve("X.Y/.../...");
} catch (error) {
  if (!(error instanceof BalpanError)) throw error;
  console.log(error.status, error.kind, names.length, (await games()).length);
}
const svg: string = await own.game("tictactoe").treeSvg("XOX/OX./..O", { prune: true });
console.log(svg.slice(0, 4));
T
npx tsc --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom types.ts
npx tsc --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom types.ts
node types.js
