import type { Incarnation } from "../timeline/Incarnation.ts";

/** A call of a node to one of its ports. */
export interface PortCall {
  readonly node: Incarnation;
  /** The name of the port, such as `OutgoingJournal`. */
  readonly port: string;
  /** The member; of something that a member opened, both with a dot between. */
  readonly method: string;
  readonly args: ReadonlyArray<unknown>;
}

/** A call that took effect; inside a transaction it is reported once the transaction is committed. */
export interface AnsweredCall extends PortCall {
  readonly answer: unknown;
}
