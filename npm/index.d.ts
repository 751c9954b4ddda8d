/** What a player to move can force. */
export type Outcome = "win" | "draw" | "loss";

/** What is known of a move. */
export interface MoveAnswer {
  /** The move, as `solve` and the rules write it. */
  move: string;
  /** The position after it. */
  position: string;
  /** For the player who makes the move; `null` while unknown. */
  outcome: Outcome | null;
  /** Plies to the end, this one among them. */
  remoteness?: number | null;
  score?: number | null;
  [more: string]: unknown;
}

/** What is known of a position. */
export interface Answer {
  game: string;
  /** The rules that differ from the named game's, as `key=value`. */
  rules: string[];
  position: string;
  to_move: string;
  outcome: Outcome | null;
  /** Plies to the end; `null` for a draw or a score, or while unknown. */
  remoteness: number | null;
  score?: number;
  winner: string | null;
  best: string[];
  moves: MoveAnswer[];
  /** Best moves to the end of play. */
  line: string[];
  /** Whether everything that was asked for is known. */
  complete: boolean;
  positions_searched: number;
  seconds: number;
  [more: string]: unknown;
}

export interface Progress {
  seconds: number;
  positions: number;
  moves_known: number;
  moves: number;
  /** The part of the current step that is done, from 0 to 1. */
  share: number;
  ahead: number;
}

/** A step of an answer: what is known so far, and at last the whole. */
export type Step =
  | { done: false; status: "not yet"; progress?: Progress; known?: Answer }
  | { done: true; answer: Answer };

/** How often a search tells what it has done. */
export interface Counts {
  positions: number;
  /** Moves of the position that are solved, and all. */
  known: number;
  moves: number;
  share: number;
}

export interface AskOptions {
  /** How far to solve; left out, as far as is within reach. */
  ask?: "winner" | "outcome" | "value" | "moves";
  /** Stops the search. */
  signal?: AbortSignal;
}

export interface SolveOptions extends AskOptions {
  progress?: (counts: Counts) => void;
}

export interface TreeOptions {
  /** Plies that are drawn. */
  depth?: number;
  /** Whether alpha-beta's cuts are marked. */
  prune?: boolean;
}

export interface Rules {
  name: string;
  family: string;
  about: string;
  size: string;
  /** The position at the start. */
  start: string;
  /** The text of the rules file. */
  rules: string;
}

export interface GameInList {
  name: string;
  family: string;
  about: string;
  size: string;
}

export interface Game {
  readonly name: string;
  /** Solves a position, or the start: the text of the position, or moves from the start as `4455`. */
  solve(at?: string, options?: SolveOptions): Promise<Answer>;
  /** The answer as it grows. Leaving the loop stops the search. */
  steps(at?: string, options?: AskOptions): AsyncGenerator<Step, void, undefined>;
  rules(): Promise<Rules>;
  /** The game tree below a position, as `balpan tree --json`. */
  tree(at?: string, options?: TreeOptions): Promise<Record<string, unknown>>;
  /** The review of a game that was played, as `balpan review --json`. */
  review(moves: string, at?: string): Promise<Record<string, unknown>>;
  /** The board as a picture. */
  svg(at?: string): Promise<string>;
  /** The tree as a picture. */
  treeSvg(at?: string, options?: TreeOptions): Promise<string>;
}

export type RuleChanges = Record<string, string | number | boolean>;

export interface FetchOptions {
  method?: string;
  headers?: [string, string][];
  body?: string;
  signal?: AbortSignal;
  progress?: (counts: Counts) => void;
}

export interface FetchedResponse {
  status: number;
  headers: [string, string][];
  body: Uint8Array;
}

/** A worker of one's own. */
export class Balpan {
  /** `memory` is the worker's limit in MiB, from 32 to 512; 384 if left out. */
  constructor(options?: { memory?: number });
  /** Asks an address of the explorer, such as `/play/nim`. */
  fetch(url: string, options?: FetchOptions): Promise<FetchedResponse>;
  games(): Promise<GameInList[]>;
  game(name: string, rules?: RuleChanges): Game;
  solveByRules(rules: string, position?: string, options?: SolveOptions): Promise<Answer>;
  /** Stops what is searched, and frees the memory. */
  stop(): void;
}

/** An error that balpan explains. */
export class BalpanError extends Error {
  readonly help?: string;
  readonly kind?: string;
  /** The range of the wrong bytes of the text: start and end. */
  readonly span?: [number, number];
  readonly status: number;
}

export function game(name: string, rules?: RuleChanges): Game;
export function games(): Promise<GameInList[]>;
export function solveByRules(rules: string, position?: string, options?: SolveOptions): Promise<Answer>;
export function stop(): void;
