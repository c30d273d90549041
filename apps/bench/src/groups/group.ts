import type { Dovecot } from "@postern/testkit";
import type { Effect } from "effect";
import type { EmailEngineAt } from "../processes/EmailEngine.ts";

/** The extent of a run, full or quick. Times in milliseconds. */
export interface Plan {
  readonly quick: boolean;
  readonly connections: ReadonlyArray<number>;
  readonly repeats: number;
  readonly millis: number;
  readonly starts: number;
}

/** The input of a group: the extent of the run, the selected rows, and the receiver of progress reports. */
export interface Bench {
  readonly plan: Plan;
  readonly wants: (row: string) => boolean;
  readonly say: (progress: string) => void;
  /** A running EmailEngine to measure beside the service, if one is given. */
  readonly emailEngine?: EmailEngineAt;
}

/** The results of a group: text, and one object per line of JSON. */
export interface Report {
  readonly text: string;
  readonly lines: ReadonlyArray<object>;
}

/** Rows measured together on one service. */
export interface Group {
  /** The names that `--only` selects from. */
  readonly rows: ReadonlyArray<string>;
  /** Whether a quick run includes the group without `--only`. */
  readonly inQuick: boolean;
  /** The mail server of the group: with the large generated mailboxes, or empty. */
  readonly mail: "generated" | "empty";
  readonly run: (bench: Bench) => Effect.Effect<Report, never, Dovecot>;
}
