import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { PortCall } from "../../../../faults/PortCall.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";

/** The time until a refused move is announced, and until a watch goes on after an outage. */
const SOON = 4 * SECOND;
const RECONNECTED = 10 * SECOND;

/** What keeps mail of blocked senders from being moved: for good if the server refuses it, else only for some time. */
export const blockFaults = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  {
    come,
    junk,
    blockOne,
  }: {
    readonly come: (isRefused?: boolean) => void;
    readonly junk: Array<string>;
    readonly blockOne: Effect.Effect<void, unknown>;
  },
): ReadonlyArray<Act> => {
  const { random, servers, timeline } = cluster;
  const mail = cluster.mail.account(account);
  /** When the connection is cut: before a call takes effect, or after that and before its answer. */
  let cutAt: "before" | "after" | null = null;
  const cut = ({ port, method, args }: PortCall, at: "before" | "after") => {
    const isMove =
      (port === "MessageChanges" && method === "move") || (port === "MailboxChanges" && method === "create");
    if (cutAt !== at || args[0] !== account || !isMove) return;
    cutAt = null;
    servers.unreachable.add(account);
    mail.mailbox("INBOX").hangUp();
    timeline.after(random.between(SECOND / 2, 6 * SECOND), () => servers.unreachable.delete(account));
  };
  cluster.listeners.push((call) => cut(call, "before"));
  cluster.observers.push((call) => cut(call, "after"));
  const deleteJunk = () => {
    if (mail.find("Junk") !== undefined) mail.delete("Junk");
    junk.length = 0;
  };
  return [
    {
      name: "the connection ends during a move",
      weight: 4,
      run: Effect.gen(function* () {
        yield* blockOne;
        if (random.chance(0.5)) deleteJunk();
        cutAt = random.pick(["before", "after"]);
        for (let left = random.between(2, 6); left > 0; left--) come();
        yield* visit.wait(SOON + RECONNECTED);
        cutAt = null;
      }),
    },
    {
      name: "Junk cannot be made",
      weight: 2,
      run: Effect.gen(function* () {
        yield* blockOne;
        deleteJunk();
        servers.refusals.set(account, "not_permitted");
        for (let left = random.between(1, 4); left > 0; left--) come(true);
        yield* visit.wait(SOON);
        servers.refusals.delete(account);
        if (random.chance(0.7)) come();
      }),
    },
  ];
};
