/**
 * `latency`: a call or its answer is slow. `before`: it fails without an effect. `after`: it has its effect, and the
 * answer is lost. `hang`: no answer until a time-out, and no effect. `partition`: the node is cut off from a target.
 * `crash`, `pause`: of a node. `skew`: a clock that is wrong. `conflict`: a transaction that the store ends. `outage`:
 * the store is unavailable for all nodes. `refusal`: the mail server does not permit a change, or the account is full.
 */
export type FaultKind =
  | "latency"
  | "before"
  | "after"
  | "hang"
  | "partition"
  | "crash"
  | "pause"
  | "skew"
  | "conflict"
  | "outage"
  | "refusal";

export const FAULT_KINDS: ReadonlyArray<FaultKind> = [
  "latency",
  "before",
  "after",
  "hang",
  "partition",
  "crash",
  "pause",
  "skew",
  "conflict",
  "outage",
  "refusal",
];
