// Writes the home page and what it refers to as files, which are shown while the module is loaded: node first.mjs DIR

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Engine } from "../../../npm/engine.js";
import "./rewrite.js";

const folder = process.argv[2];
const engine = await Engine.create(await WebAssembly.compile(await readFile(join(folder, "balpan.wasm"))));

function get(url, language) {
  const parts = [];
  let head;
  engine.respond({ url, headers: [["accept", "text/html"], ["accept-language", language]] }, { head: (it) => (head = it), part: (part) => void parts.push(part) });
  if (head.status !== 200) throw new Error(`${url}: ${head.status}`);
  return { head, text: Buffer.concat(parts).toString() };
}

const files = new Set();
for (const language of ["en", "ko"]) {
  const { head, text } = get("/", language);
  for (const [, file] of text.matchAll(/(?:href|src)="\/(assets\/[^"]+)"/g)) files.add(file);
  const policy = new Map(head.headers).get("content-security-policy").replace(/; frame-ancestors [^;]*/, "");
  const page = rewrite(text, "./", "./").replace("<head>", `<head><meta http-equiv="content-security-policy" content="${policy}">`);
  await writeFile(join(folder, `home.${language}.html`), page);
}
for (const file of files) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), get(`/${file}`, "en").text);
}
