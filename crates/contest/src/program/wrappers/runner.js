// Calls a function of a file once for each line of standard input, and prints each result on a
// line: `solution(board, aloc, bloc)`, unless another function and its arguments are named, which
// may be a method of a class `Solution`. Prints of the file itself go to standard error.
//
//     node runner.js FILE [FUNCTION ARGUMENT ..] < cases.jsonl
'use strict';

const { Console } = require('node:console');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { inspect } = require('node:util');
const vm = require('node:vm');

/** Reads all of standard input. */
function input() {
  // Reading an empty pipe may fail with EAGAIN.
  for (;;) {
    try {
      return fs.readFileSync(0, 'utf8');
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Writes all of a text to the real standard output. */
function write(text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Loads the function of this name from the file, however it is declared. */
function load(path, name) {
  Object.defineProperty(process, 'stdout', { get: () => process.stderr });
  globalThis.console = new Console(process.stderr, process.stderr);
  globalThis.require = createRequire(path);
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  // A script, unlike a module, shares its names with the next script.
  vm.runInThisContext(fs.readFileSync(path, 'utf8').replace(/^#!.*/, ''), { filename: path });
  const ofClass = `typeof Solution === "function" && typeof Solution.prototype.${name} === "function"`;
  const called = `(...values) => new Solution().${name}(...values)`;
  return vm.runInThisContext(`typeof ${name} === "function" ? ${name} : ${ofClass} ? ${called} : null`);
}

/** Formats a number as it is, and other types literally on one line. */
function format(result) {
  return typeof result === 'number' ? String(result) : inspect(result).replace(/\s+/g, ' ');
}

// Read before the file is loaded, which may itself read standard input.
const lines = input().split('\n');
const [name, ...names] = process.argv.length > 3 ? process.argv.slice(3) : ['solution', 'board', 'aloc', 'bloc'];
const solve = load(process.argv[2], name);
if (solve === null) {
  console.error(`there is no function \`${name}\` in it`);
  process.exit(1);
}
for (const line of lines) {
  if (line.trim() === '') continue;
  // Each list is parsed anew, so the function may change its arguments.
  const values = JSON.parse(line);
  // Flushed, so that the answer is not lost if the next call never returns.
  write(format(solve(...names.map((argument) => values[argument]))) + '\n');
}
