import type { ParseJob } from "@postern/core/bounces";
import type { Draft } from "@postern/core/drafts";
import type { FolderRemoval } from "@postern/core/folders";
import type { OutgoingMessage } from "@postern/core/send";
import type { Lease } from "@postern/core/shared";
import type { AccountWatch } from "@postern/core/watch";
import type { ClaimedDelivery, Delivery, SettledClaim } from "@postern/core/webhooks";
import { Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import { LeaseTable } from "./LeaseTable.ts";

/** The effects of calls to a port's members on leases. */
type Rules = Readonly<Record<string, (leases: LeaseTable, call: AnsweredCall) => void>>;

/**
 * No two nodes act on one row under valid leases, and a node that lost a lease changes nothing. The invariant checks
 * the calls of the ports, because outcomes alone do not reveal a missing comparison of tokens. A worker does not renew
 * a lease that ended by its clock: otherwise it would treat itself as the holder of a row that others may claim.
 * [S9.3-2] [S9.3-4]
 */
export const leases: Invariant = {
  name: "leases",
  watch: (cluster: Cluster) => {
    const tables = new Map(Object.keys(RULES).map((port) => [port, new LeaseTable(cluster, port)]));
    /** The nodes whose request moved the cursor of an account, which begins a watch before a node holds it. */
    const begun = new Set<string>();
    return {
      called: (call) => {
        const [ids, lease] = call.args as readonly [unknown, Lease];
        // A node renews all its watches at once, without naming them.
        if (call.method !== "renew" || !Array.isArray(ids)) return;
        for (const id of ids as ReadonlyArray<string>) tables.get(call.port)?.ask(id, lease.token, call);
      },
      answered: (call) => {
        const table = tables.get(call.port);
        if (table !== undefined) return RULES[call.port]![call.method]?.(table, call);
        if (call.port !== "FollowedMailboxes") return;
        const account = String(call.args[0]);
        const beginner = `${call.node.name} ${account}`;
        if (call.method === "moveTo") begun.add(beginner);
        // The same request records the newest messages, but only once.
        const writes = call.method === "save" || (call.method === "backfill" && !begun.delete(beginner));
        if (writes) tables.get("AccountWatches")!.act(account, call);
      },
    };
  },
};

/** The rule of members that take `(ids, lease)` and return the renewed ids. */
const renew: Rules[string] = (leases, call) => {
  const lease = call.args[1] as Lease;
  for (const id of call.answer as ReadonlySet<string>) leases.use(id, lease.token, call, lease.until);
};

/** The rule of members with the arguments `(ids, token)`. */
const release: Rules[string] = (leases, { args }) => {
  for (const id of args[0] as ReadonlyArray<string>) leases.free(id, args[1] as string);
};

/** The rule of members with the arguments `(now, lease)` that return the claimed rows. */
const claim =
  <Row>(idOf: (row: Row) => string): Rules[string] =>
  (leases, call) => {
    for (const row of call.answer as ReadonlyArray<Row>) {
      leases.take(idOf(row), call.args[0] as number, call.args[1] as Lease, call);
    }
  };

const claimOne =
  <Row extends { readonly id: string }>(now: number, lease: number): Rules[string] =>
  (leases, call) => {
    const row = Option.getOrUndefined(call.answer as Option.Option<Row>);
    if (row !== undefined) leases.take(row.id, call.args[now] as number, call.args[lease] as Lease, call);
  };

/** The rule of members with the arguments `(id, token)` that end the lease, and return false if it was lost. */
const finish =
  (idOf: (row: unknown) => string): Rules[string] =>
  (leases, call) => {
    if (call.answer !== true) return;
    leases.use(idOf(call.args[0]), call.args[1] as string, call);
    leases.free(idOf(call.args[0]), call.args[1] as string);
  };

const RULES: Readonly<Record<string, Rules>> = {
  OutgoingJournal: {
    insert: (leases, call) => {
      const lease = call.args[2] as Lease | null;
      if (lease !== null) leases.take((call.args[0] as OutgoingMessage).id, 0, lease, call);
    },
    claim: claim<OutgoingMessage>(({ id }) => id),
    claimOne: claimOne<OutgoingMessage>(2, 3),
    renew,
    release,
    save: (leases, call) => {
      if (call.answer !== true) return;
      const { id } = call.args[0] as OutgoingMessage;
      leases.use(id, call.args[1] as string, call);
      if (call.args[2] === "release") leases.free(id, call.args[1] as string);
    },
  },
  DeliveryQueue: {
    claim: claim<ClaimedDelivery>(({ delivery }) => delivery.id),
    renew,
    release,
    settle: (leases, call) => {
      const settled = call.answer as ReadonlySet<string>;
      for (const { delivery, token } of call.args[0] as ReadonlyArray<SettledClaim>) {
        if (!settled.has(delivery.id)) continue;
        leases.use(delivery.id, token, call);
        leases.free(delivery.id, token);
      }
    },
    reap: (leases, call) => {
      for (const { id } of call.answer as ReadonlyArray<Delivery>) leases.expire(id, call.args[0] as number, call);
    },
  },
  ParseJobs: {
    claim: claim<ParseJob>(({ id }) => id),
    renew,
    release,
    postpone: finish((row) => (row as { readonly job: ParseJob }).job.id),
    finish: finish((row) => row as string),
  },
  DraftRecords: {
    claim: claim<Draft>(({ id }) => id),
    renew,
    release,
    // Any node may change a draft; a change of its due time ends the lease.
    change: (leases, { args }) => leases.loosen(args[1] as string),
    remove: (leases, { args }) => leases.free(args[1] as string),
  },
  FolderRemovals: {
    claim: claim<FolderRemoval>(({ id }) => id),
    claimOne: claimOne<FolderRemoval>(1, 2),
    renew,
    release,
    save: (leases, call) => {
      if (call.answer === true) leases.use((call.args[0] as FolderRemoval).id, call.args[1] as string, call);
    },
    forget: (leases, { args }) => leases.free(args[0] as string),
  },
  AccountWatches: {
    claim: claim<AccountWatch>(({ account }) => account),
    renew: (leases, call) => {
      const { token, until } = call.args[0] as Lease;
      for (const { account } of call.answer as ReadonlyArray<AccountWatch>) leases.use(account, token, call, until);
    },
    release,
    // Only watches whose time is over end, and the answer does not name them.
    end: (leases, { args }) => {
      for (const account of args[0] as ReadonlyArray<string>) leases.loosen(account, args[1] as string);
    },
    leave: (leases, { args }) => leases.freeAll(args[0] as string),
    erase: (leases, { args }) => leases.free(args[0] as string),
  },
};
