// Calls `solution(board, aloc, bloc)` of a file once for each line of standard input and
// prints what it returns, a line a call. What the file itself prints is not an answer: it
// goes to standard error.
//
//     node runner.js FILE < cases.jsonl
'use strict';

const { Console } = require('node:console');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { inspect } = require('node:util');
const vm = require('node:vm');

/** All of standard input. */
function input() {
  // A pipe that is read before anything is written into it may say EAGAIN.
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

/** The function that stands in the file, however it is declared. */
function load(path) {
  Object.defineProperty(process, 'stdout', { get: () => process.stderr });
  globalThis.console = new Console(process.stderr, process.stderr);
  globalThis.require = createRequire(path);
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  // As a script, and not as a module: its names are then seen by the next script.
  vm.runInThisContext(fs.readFileSync(path, 'utf8').replace(/^#!.*/, ''), { filename: path });
  return vm.runInThisContext('typeof solution === "function" ? solution : null');
}

/** A number as it is; anything else so that it is seen for what it is, on one line. */
function shown(result) {
  return typeof result === 'number' ? String(result) : inspect(result).replace(/\s+/g, ' ');
}

// All is read before the file is: what that may read is not taken from the cases.
const lines = input().split('\n');
const called = load(process.argv[2]);
if (called === null) {
  console.error('there is no function `solution` in it');
  process.exit(1);
}
for (const line of lines) {
  if (line.trim() === '') continue;
  // Each list is read from the text anew, so the function may change what it is given.
  const { board, aloc, bloc } = JSON.parse(line);
  // Written at once: an answer is not lost when the next call never returns.
  write(shown(called(board, aloc, bloc)) + '\n');
}
