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

/** How long a request takes to come to its point, in milliseconds. */
const SOON = 5_000;
/** Longer than the lease of a removal, and than another worker takes to finish it after that, in milliseconds. */
const LEASE = 11_000;
const TAKEN_OVER = 20_000;
/** How long a mail server, or the node that asks it, may take to move a message, in milliseconds. */
const SLOWLY = 20_000;
/** How often the state of a removal is saved. */
export const SAVES = 5;

/** Returns an account whose server lacks MOVE if its name says so, with three messages in a folder. */
export const filed = (visit: Visit, cluster: Cluster, name: string, path: string) =>
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
      // An earlier attempt, or another worker, may have removed it.
      if (found === undefined) return;
      yield* folders.remove(account, found.id, { permanent: false, recursive: false, ...(moveTo && { moveTo }) });
    }),
  );

/** Every message is in one folder. */
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

const isMoveOf =
  (account: AccountId) =>
  ({ port, method, args }: PortCall): boolean =>
    args[0] === account &&
    ((port === "MessageChanges" && method === "move") || (port === "MailboxChanges" && method === "moveBatch"));

/** A server without MOVE gets no second copies if the worker ends between the copies and their removal. [S4.6-13] */
export const removalCopied: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const { account, ids } = yield* filed(visit, cluster, "kim-copied", "Copied");
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

/** A worker that stood still until the lease of a removal ended changes no folder, wherever it stood. [S9.3-5] */
export const removalHeld: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const name = cluster.random.pick(["held", "kim-held"])!;
    const save = cluster.random.between(1, SAVES + 1);
    const { account, ids } = yield* filed(visit, cluster, name, "Held");
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

/** A message that Postern moves into INBOX is not announced, however long the move takes and whichever worker finishes it. [S7.4-5] */
export const movedSlowly: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const name = cluster.random.pick(["moved", "kim-moved"])!;
    const { account, ids } = yield* filed(visit, cluster, name, "Slow");
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
