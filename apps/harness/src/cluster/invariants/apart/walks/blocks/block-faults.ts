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
/** Why a server refuses a move for good, and why it cannot move anything at present. */
const REFUSALS = ["not_permitted", "over_quota", "protocol"] as const;
const OUTAGES = [
  "busy",
  "limited",
  "timeout",
  "unreachable",
  "untrusted",
  "flood",
  "sign_in_unclear",
  "provider_unavailable",
  "app_misconfigured",
  "credential_unreadable",
] as const;

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
      name: "a move is refused",
      weight: 2,
      run: Effect.gen(function* () {
        yield* blockOne;
        if (random.chance(0.7)) deleteJunk();
        servers.refusals.set(account, random.pick(REFUSALS)!);
        for (let left = random.between(1, 4); left > 0; left--) come(true);
        yield* visit.wait(SOON);
        servers.refusals.delete(account);
        if (random.chance(0.7)) come();
      }),
    },
    {
      name: "the server can move nothing for some time",
      weight: 3,
      run: Effect.gen(function* () {
        yield* blockOne;
        if (random.chance(0.3)) deleteJunk();
        servers.refusals.set(account, random.pick(OUTAGES)!);
        for (let left = random.between(2, 6); left > 0; left--) come();
        yield* visit.wait(random.between(SECOND, 6 * SECOND));
        servers.refusals.delete(account);
        yield* visit.wait(RECONNECTED);
      }),
    },
  ];
};
