/**
 * The kinds of faults. `latency`: a call or its answer is slow. `before`: the call fails without an effect. `after`:
 * the call has its effect, but the answer is lost. `hang`: no answer until a time-out, and no effect. `partition`: the
 * node is cut off from a target. `crash`, `pause`: the node stops. `skew`: a clock is wrong. `conflict`: the store ends
 * a transaction. `outage`: the store is unavailable for all nodes. `refusal`: the mail server refuses a change, or the
 * account is full. `disconnect`: the client of a request closes its connection, which interrupts the request.
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
  | "refusal"
  | "disconnect";

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
  "disconnect",
];
