import type { Dovecot } from "@postern/testkit";
import type { Effect } from "effect";

/** How much is measured: a full run, or a quick one. Times in milliseconds. */
export interface Plan {
  readonly quick: boolean;
  readonly connections: ReadonlyArray<number>;
  readonly repeats: number;
  readonly millis: number;
  readonly starts: number;
}

/** What a group is given: how much to measure, which rows were asked for, where to say how far it is. */
export interface Bench {
  readonly plan: Plan;
  readonly wants: (row: string) => boolean;
  readonly say: (progress: string) => void;
}

/** What a group found: for people, and one object for each line of JSON. */
export interface Report {
  readonly text: string;
  readonly lines: ReadonlyArray<object>;
}

/** Rows that are measured together, on one service. */
export interface Group {
  /** What `--only` picks from. */
  readonly rows: ReadonlyArray<string>;
  /** Whether it is part of a quick run; it is left out of one unless asked for by `--only`. */
  readonly inQuick: boolean;
  /** The mail server it needs: with the large generated mailboxes, or empty. */
  readonly mail: "generated" | "empty";
  readonly run: (bench: Bench) => Effect.Effect<Report, never, Dovecot>;
}
