import type { FaultInjection } from "./FaultInjection.ts";
import type { AnsweredCall, PortCall } from "./PortCall.ts";
import type { ServerFaults } from "./ServerFaults.ts";
import type { Trace } from "../timeline/Trace.ts";

/** The parts of the cluster around a node that its faulty ports need. */
export interface NodeSurroundings {
  readonly faults: FaultInjection;
  readonly servers: ServerFaults;
  readonly trace: Trace;
  /** Called with each call, before any fault. */
  readonly called: (call: PortCall) => void;
  readonly answered: (call: AnsweredCall) => void;
  /** Ends or pauses the node before the answer to a call reaches it. */
  readonly stop: (kind: "crash" | "pause") => void;
}
