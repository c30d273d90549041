import type { Incarnation } from "../timeline/Incarnation.ts";

/** A call of a node to one of its ports. */
export interface PortCall {
  readonly node: Incarnation;
  /** The name of the port, such as `OutgoingJournal`. */
  readonly port: string;
  /**
   * The name of the member. For a member of an object that another member returned, the names of both members, joined
   * by a dot.
   */
  readonly method: string;
  readonly args: ReadonlyArray<unknown>;
}

/** A call that took effect; inside a transaction it is reported once the transaction is committed. */
export interface AnsweredCall extends PortCall {
  readonly answer: unknown;
  /** The identity of the transaction, the same for all its calls; a call outside a transaction has a separate one. */
  readonly commit: object;
}
