import { type AccountWatch, AccountWatches } from "@postern/core/watch";
import { UploadRecords } from "@postern/core/send";
import { UploadsInMemory } from "@postern/memory";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";

/** Maximum number of new rows after the jump, from work that fell due during the jump and runs after it. */
const MAX_NEW = 5;

/** Tables whose rows the store deletes after a time. Deliveries and reports are deleted with their events and messages. */
const KEPT_FOR_A_TIME = [
  "account erasures",
  "connect attempts",
  "events",
  "expected messages",
  "folder removals",
  "host connections",
  "idempotency keys",
  "outgoing messages",
  "parse jobs",
  "sessions",
  "sign-ins",
  "tracked messages",
  "uploads",
  "wrong keys",
];

const DAY = 86_400_000;
/**
 * The retention in milliseconds by the call that deletes older rows. The first argument of the call is the time before
 * which rows are old.
 */
const KEPT = new Map([
  ["CreationRecords.forget", DAY],
  ["EventLedger.forget", 14 * DAY],
  ["IdempotencyKeys.forget", DAY],
  ["UploadRecords.retire", DAY],
]);

/**
 * No data remains too long or is lost early: no upload stays pinned, the store deletes rows after their retention and
 * not before, and after every node has stopped, no timer, call or lease of a node is left. [S6.1-2] [S7.5-9]
 */
export const hygiene: Invariant = {
  name: "hygiene",
  watch: (cluster) => {
    /** The times at which events were appended, in epoch milliseconds. */
    const appended: Array<number> = [];
    return {
      answered: ({ port, method, answer }) => {
        if (port !== "EventLedger" || method !== "append") return;
        for (const _ of answer as ReadonlyArray<unknown>) appended.push(cluster.timeline.now);
      },
      called: ({ node, port, method, args }) => {
        const kept = KEPT.get(`${port}.${method}`);
        if (kept === undefined || (args[0] as number) <= node.millis() - kept) return;
        cluster.violate("hygiene", `${port}.${method} deletes rows that are to be kept for ${kept / DAY} days`);
      },
      quiet: () => {
        const pinned = cluster.ask((ports) =>
          Effect.gen(function* () {
            const contents = yield* Context.get(ports, UploadsInMemory).ids;
            const free = new Set(yield* Context.get(ports, UploadRecords).retire(Infinity, Infinity, 1_000_000));
            return contents.filter((id) => !free.has(id));
          }),
        );
        for (const id of pinned) cluster.violate("hygiene", `the upload ${id} stays pinned`);
      },
      aged: () => {
        const rows = cluster.wiring.rows();
        // The jump ends sessions, which causes events.
        const recent = appended.filter((at) => at > cluster.timeline.now - KEPT.get("EventLedger.forget")!).length;
        for (const name of KEPT_FOR_A_TIME) {
          const count = rows.get(name) ?? 0;
          if (count > (name === "events" ? recent : MAX_NEW))
            cluster.violate("hygiene", `${count} rows of ${name} are kept for ever`);
        }
      },
      stopped: () => {
        for (const { name, waits, calls } of cluster.incarnations) {
          if (waits > 0) cluster.violate("hygiene", `${name} has ${waits} timers`);
          const open = [...calls].filter(([, count]) => count > 0);
          if (open.length > 0) cluster.violate("hygiene", `${name} waits for ${open.map(([port]) => port).join(", ")}`);
        }
        for (const { account } of heldWatches(cluster))
          cluster.violate("hygiene", `the watch of ${account} stays leased`);
      },
    };
  },
};

/** Returns the watches that no node could claim now, although every node has stopped. */
const heldWatches = (cluster: Cluster): ReadonlyArray<AccountWatch> =>
  cluster.ask((ports) => {
    const { claim } = Context.get(ports, AccountWatches);
    const now = cluster.timeline.now;
    const lease = { token: "hygiene", until: Infinity };
    return Effect.andThen(claim(now, lease, 1_000), claim(now + 3_600_000, lease, 1_000));
  });
