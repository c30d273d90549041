import type { Quirk } from "./Quirk.ts";

interface Degradation {
  readonly because: string;
  /** A pattern of the titles of the tests that fail for this reason. */
  readonly tests?: RegExp;
  /** Whether the contract cannot be run, so that its results are unknown. */
  readonly isNotRun?: boolean;
}

/** A mail server as the quirk proxy imitates it. */
export interface Profile {
  readonly name: string;
  readonly server: string;
  /** The features that a mailbox lacks on such a server, with the reason, by the contract that shows it. */
  readonly degrades?: Readonly<Record<string, Degradation>>;
  readonly quirks: ReadonlyArray<Quirk>;
}
