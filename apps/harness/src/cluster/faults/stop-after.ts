import type { NodeSurroundings } from "./NodeSurroundings.ts";
import type { AnsweredCall } from "./PortCall.ts";

/** The methods after which a node may stop: another node then has to find their effects. */
const EFFECTS: ReadonlySet<string> = new Set(
  (
    "answer append change changeWaiting claim claimOne create deliver destroy finish flag insert issue keep markRejected " +
    "move moveBatch postpone refresh remove rename renew replace run save send setFlags settle take"
  ).split(" "),
);

/** Draws whether the node stops before it gets the answers to calls with an effect, and stops the node. */
export const stopAfter = (calls: ReadonlyArray<AnsweredCall>, { faults, stop }: NodeSurroundings): void => {
  const changes = calls.filter(({ port, method }) => EFFECTS.has(method) && port !== "AccountWatches");
  const [first] = changes;
  if (first === undefined || !first.node.isOpen) return;
  const names = new Set(changes.map(({ port, method }) => `${port}.${method}`));
  const kind = faults.drawStop([...names].join(" "));
  if (kind === null) return;
  faults.hit(kind, first.port);
  stop(kind);
};
