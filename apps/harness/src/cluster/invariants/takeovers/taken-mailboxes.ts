import { FolderManagement } from "@postern/core/folders";
import { Inbox, MessageActions } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { PortCall } from "../../faults/PortCall.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { begin, insist } from "./insist.ts";
import type { Takeover } from "./Takeover.ts";

/** The maximum time until a request reaches its stop point, in milliseconds. */
const SOON = 5_000;
/**
 * A time longer than the lease of a removal plus the time in which another worker then finishes the removal, in
 * milliseconds.
 */
const LEASE = 11_000;
const TAKEN_OVER = 20_000;
/** The maximum time that a mail server, or the node that uses it, needs to move a message, in milliseconds. */
const SLOWLY = 20_000;
/** The number of times that the state of a removal is saved. */
export const SAVES = 5;

/** Returns an account with three messages in a folder; its server lacks MOVE if the account's name says so. */
export const createFiledAccount = (visit: Visit, cluster: Cluster, name: string, path: string) =>
  Effect.map(visit.signUp(name), (account) => {
    const folder = cluster.mail.account(account).create(path);
    const ids = [1, 2, 3].map((number) => `<${path}-${number}.${name}@far.test>`);
    for (const id of ids) folder.append(textOf(id, account), visit.now - SOON);
    return { account, ids };
  });

const remove = (visit: Visit, account: AccountId, name: string, moveTo?: string) =>
  visit.ask(`remove ${name}`, (services) =>
    Effect.gen(function* () {
      const folders = Context.get(services, FolderManagement);
      const found = (yield* folders.list(account)).find((folder) => folder.name === name);
      // An earlier attempt, or another worker, may have removed the folder.
      if (found === undefined) return;
      yield* folders.remove(account, found.id, { permanent: false, recursive: false, ...(moveTo && { moveTo }) });
    }),
  );

/** Checks that every message is in exactly one folder. */
export const expectEachOnce = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  ids: ReadonlyArray<string>,
  what: string,
) => {
  const all = cluster.mail
    .account(account)
    .list()
    .flatMap(({ mailbox }) => mailbox?.messages ?? [])
    .map(({ summary }) => summary.messageId);
  visit.same(
    ids.map((id) => all.filter((one) => one === id).length),
    ids.map(() => 1),
    `the copies of messages ${what}`,
  );
};

export const isMoveOf =
  (account: AccountId) =>
  ({ port, method, args }: PortCall): boolean =>
    args[0] === account &&
    ((port === "MessageChanges" && method === "move") || (port === "MailboxChanges" && method === "moveBatch"));

/**
 * The worker of a removal ends between the copies and the removal of the originals: on a server without MOVE no message
 * is copied twice. [S4.6-13]
 */
export const removalCopied: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const { account, ids } = yield* createFiledAccount(visit, cluster, "kim-copied", "Copied");
    stop.arm(({ port, method }) => port === "MailboxChanges" && method === "moveBatch.copied");
    cluster.onMoveCopied = (node, of) => {
      if (of === account)
        stop.see({ node, port: "MailboxChanges", method: "moveBatch.copied", args: [], answer: null, commit: {} });
    };
    yield* begin(remove(visit, account, "Copied"));
    yield* visit.within(SOON, "no message of a removed folder is copied", () => stop.isHit);
    cluster.onMoveCopied = () => {};
    yield* visit.wait(TAKEN_OVER);
    expectEachOnce(visit, cluster, account, ids, "whose removal was cut off after they were copied");
  });

/** A worker that was halted until the lease of its removal ended changes no folder, wherever it was halted. [S9.3-5] */
export const removalHeld: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const name = cluster.random.pick(["held", "kim-held"])!;
    const save = cluster.random.between(1, SAVES + 1);
    const { account, ids } = yield* createFiledAccount(visit, cluster, name, "Held");
    let saves = 0;
    stop.arm((call) => isSaveOf(account)(call) && ++saves === save, LEASE);
    yield* begin(remove(visit, account, "Held"));
    yield* visit.within(SOON, "a removal is not saved", () => stop.isHit);
    yield* visit.wait(TAKEN_OVER);
    expectEachOnce(visit, cluster, account, ids, "whose removal was taken over");
  });

export const isSaveOf =
  (account: AccountId) =>
  ({ port, method, args }: PortCall): boolean =>
    port === "FolderRemovals" && method === "save" && (args[0] as { readonly account: AccountId }).account === account;

/**
 * A message that Postern moves into INBOX is not announced, regardless of the duration of the move and of the worker
 * that finishes it. [S7.4-5]
 */
export const movedSlowly: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const name = cluster.random.pick(["moved", "kim-moved"])!;
    const { account, ids } = yield* createFiledAccount(visit, cluster, name, "Slow");
    const { create, arrive } = ownerOf(visit, cluster, account);
    yield* create("https://visit.sim.test/moved");
    const { page } = yield* visit.ask("list", (services) =>
      Context.get(services, Inbox).list(account, { folder: "Slow" }),
    );
    const move = visit.ask("move", (services) =>
      Context.get(services, MessageActions).change(account, page.emails[0]!.id, {}, "inbox"),
    );
    const removal = insist(visit, remove(visit, account, "Slow", "inbox"));
    const requests: ReadonlyArray<Effect.Effect<unknown, unknown>> = [move, removal];
    for (const request of requests) {
      stop.armBefore(isMoveOf(account), SLOWLY);
      yield* begin(request);
      yield* visit.within(SOON, "no message is moved", () => stop.isHit);
      yield* visit.wait(SLOWLY + SOON);
    }
    yield* visit.wait(TAKEN_OVER);
    const told = () => eventsOf(cluster, account, "email.received").length;
    visit.same(told(), 0, "the arrivals after slow moves into INBOX");
    const inbox = cluster.mail.account(account).mailbox("INBOX").messages;
    visit.same(inbox.length, ids.length, "the messages that were moved into INBOX");
    arrive();
    yield* visit.within(SOON, "a message that arrives after a slow move is not announced", () => told() === 1);
  });
