import type { auditFields } from "./rules.ts";

/** A change, a sent message or a call of an agent, with its requester and its target (spec 8.7), but without contents. */
export interface AuditEntry {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly operation: AuditedOperation;
  /** The id of the service key, or `admin`; null for a session and for the host of an embedded service. */
  readonly key: string | null;
  /** The application of the key; null for the operator and without a key. */
  readonly application: string | null;
  /** The `acc_…` id of the account, because the entry outlives the account; null if the target belongs to none. */
  readonly account: string | null;
  /** The id of the changed record or sent message; null if the target is the account itself or several messages. */
  readonly target: string | null;
  /** The ids of several messages, or the ids in the arguments and in the result of a call; empty if `target` is set. */
  readonly ids: ReadonlyArray<string>;
  /** `done`, or the code of the problem with which a call failed. */
  readonly outcome: string;
}

/** An operation that leaves an entry, by its id in the contract. */
export type AuditedOperation = (typeof auditFields.operation.literals)[number];
