import { FolderManagement } from "@postern/core/folders";
import { Inbox, MessageActions, Messages, Search } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";

/** The maximum time until a removal ends, in milliseconds. */
const REMOVAL_MILLIS = 5_000;

/**
 * Every returned id opens its message, unless the message is gone. The next read at any node sees a change that was
 * answered. Messages with equal Message-IDs, sizes and dates stay different messages. A folder keeps its id, and its
 * removal ends as the client was informed.
 */
export const mailbox: Invariant = {
  name: "mailbox",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        for (const name of ["reader", "kim@reader"]) yield* readMessages(visit, cluster, name);
        yield* changeFolders(visit, cluster);
      }),
  }),
};

const readMessages = (visit: Visit, cluster: Cluster, name: string) =>
  Effect.gen(function* () {
    // The server of one of the accounts lacks MOVE: see `hasMove`.
    const account = yield* visit.signUp(name.replace("@", "-"));
    const folder = cluster.mail.account(account).create(ARCHIVE);
    const at = cluster.timeline.now - 60_000;
    const subjects = ["<one@far.test>", "<twin@far.test>", "<twin@far.test>", "<two@far.test>", "<three@far.test>"];
    subjects.forEach((messageId, n) =>
      folder.append(textOf(messageId, account), n === 2 ? at + 1_000 : at + n * 1_000),
    );
    const box = boxOf(visit, account);
    const all = yield* box.list();
    visit.same([all.total, all.unread], [5, 5], "the counts of a folder");
    visit.same(new Set(all.emails.map(({ id }) => id)).size, 5, "the ids of five messages");
    const byPage = yield* Effect.forEach([1, 2, 3], (page) => box.list({ page, limit: 2 }));
    visit.same(idsOf(byPage), idsOf([all]), "the messages of three pages");
    let next = yield* box.list({ limit: 2 });
    const seen = [next];
    folder.append(textOf("<late@far.test>", account), cluster.timeline.now);
    while (next.nextCursor !== null && seen.length < 9) {
      next = yield* box.list({ limit: 2, cursor: next.nextCursor });
      seen.push(next);
    }
    visit.same(idsOf(seen), idsOf([all]), "the messages that cursors lead to while mail arrives");
    for (const { id, message } of all.emails) {
      const read = yield* box.read(id);
      visit.same([read.summary.uid, read.summary.messageId], [message.uid, message.messageId], "what an id opens");
    }
    const stranger = yield* Effect.flip(
      visit.ask("a stranger", (services) =>
        Context.get(services, Messages).read("robin@sim.test" as AccountId, all.emails[0]!.id),
      ),
    );
    visit.same(stranger._tag, "MessageNotFound", "the id of another account");

    const [first, second, third] = all.emails;
    const changed = yield* box.change(first!.id, { unread: false, flagged: true });
    visit.same([changed.message.unread, changed.message.flagged], [false, true], "the answer to a change of flags");
    const after = yield* box.list();
    const entry = after.emails.find(({ id }) => id === first!.id)!.message;
    visit.same([entry.unread, entry.flagged, after.unread], [false, true, 5], "flags after they were changed");
    // Another client changes a flag, which changes no count.
    folder.find(second!.message.uid)!.flags = ["\\Flagged"];
    const elsewhere = yield* box.list();
    visit.expect(
      elsewhere.emails.some(({ id, message }) => id === second!.id && message.flagged),
      "a flag is not seen",
    );
    const unread = yield* visit.ask("search", (services) =>
      Context.get(services, Search).list(account, { folder: ARCHIVE, unread: true, subject: "three" }),
    );
    visit.same(unread.total, 0, "unread messages about three");

    const inbox = cluster.mail.account(account).mailbox("INBOX");
    const twins = all.emails.filter(({ message }) => message.messageId === "<twin@far.test>");
    const moved = yield* box.change(twins[0]!.id, { flagged: true, unread: false }, "inbox");
    visit.expect(moved.message.flagged && !moved.message.unread, "a move with flags is answered without them");
    const [arrived] = inbox.messages;
    visit.same(
      [...(arrived?.flags ?? [])].toSorted(),
      ["\\Flagged", "\\Seen"],
      "the flags of a message moved with them",
    );
    visit.expect(folder.find(twins[0]!.message.uid) === undefined, "a moved message is where it was");
    visit.expect(folder.find(twins[1]!.message.uid) !== undefined, "the twin of a moved message is gone");
    for (const id of [moved.id, twins[0]!.id]) {
      const opened = id === null ? null : yield* Effect.result(box.read(id));
      const isThere = opened?._tag === "Success" && opened.success.summary.messageId === "<twin@far.test>";
      visit.expect(
        isThere || (id === twins[0]!.id && opened?._tag === "Failure"),
        "the id of a moved message opens another",
      );
    }
    visit.same((yield* box.read(twins[1]!.id)).summary.uid, twins[1]!.message.uid, "what the twin's id opens");
    const done = yield* visit.ask("trash", (services) =>
      Context.get(services, MessageActions).carryOut(account, [third!.id, "unknown", second!.id], { _tag: "Trash" }),
    );
    visit.same(
      done.outcomes.map(({ id, found }) => [id, found]),
      TRASHED(third!.id, second!.id),
      "what was moved to Trash",
    );
    visit.same((yield* box.list()).total, 6 - new Set([twins[0]!.id, third!.id, second!.id]).size, "what is left");
    const last = (yield* box.list()).emails[0]!;
    yield* visit.ask("destroy", (services) =>
      Context.get(services, MessageActions).carryOut(account, [last.id], { _tag: "Destroy" }),
    );
    visit.same((yield* Effect.flip(box.read(last.id)))._tag, "MessageNotFound", "a message deleted permanently");
  });

const TRASHED = (one: string, other: string) => [
  [one, true],
  ["unknown", false],
  [other, true],
];

const boxOf = (visit: Visit, account: AccountId) => ({
  list: (request: Parameters<Inbox["Service"]["list"]>[1] = {}) =>
    Effect.map(
      visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder: ARCHIVE, ...request })),
      ({ page }) => page,
    ),
  read: (id: string) => visit.ask("read", (services) => Context.get(services, Messages).read(account, id)),
  change: (id: string, flags: { unread?: boolean; flagged?: boolean }, folderId?: string) =>
    visit.ask("change", (services) => Context.get(services, MessageActions).change(account, id, flags, folderId)),
});

const idsOf = (pages: ReadonlyArray<{ readonly emails: ReadonlyArray<{ readonly id: string }> }>) =>
  pages.flatMap(({ emails }) => emails.map(({ id }) => id));

/** [S4.2-3] [S4.5-3] [S4.5-4] [S4.6-1] [S4.6-5] */
const changeFolders = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("folding");
    const ask = <A, E>(name: string, use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask(name, (services) => use(Context.get(services, FolderManagement)));
    const refusal = <A, E extends { readonly _tag: string }>(
      name: string,
      use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>,
    ) => visit.tagOf(name, (services) => use(Context.get(services, FolderManagement)));
    const create = (name: string, parentId: string | null = null) =>
      ask("create", (folders) => folders.create(account, { name, parentId }));
    yield* visit.ask("watch", (services) =>
      Context.get(services, WebhookEndpoints).create(
        { _tag: "Account", account },
        { url: "https://visit.sim.test/folding", events: ["email.received"] },
      ),
    );
    const outer = yield* create("Outer");
    const inner = yield* create("Inner", outer.id);
    for (const name of ["outer", "Inbox", "sent"]) {
      visit.same(
        yield* refusal("create", (all) => all.create(account, { name, parentId: null })),
        "FolderExists",
        name,
      );
    }
    const change = { parentId: inner.id };
    visit.same(yield* refusal("move", (all) => all.change(account, outer.id, change)), "FolderParentInvalid", "a loop");
    const system = yield* refusal("rename", (all) => all.change(account, "inbox", { name: "Other" }));
    visit.same(system, "FolderIsSystem", "renaming INBOX");
    const renamed = yield* ask("rename", (folders) => folders.change(account, outer.id, { name: "Renamed" }));
    visit.same(renamed.id, outer.id, "the id of a renamed folder");
    const mail = cluster.mail.account(account);
    mail.rename("Renamed", "Renamed elsewhere");
    const listed = yield* ask("list", (folders) => folders.list(account));
    const elsewhere = listed.find(({ id }) => id === outer.id);
    visit.same(elsewhere?.name, "Renamed elsewhere", "the folder of an id that another client renamed");
    visit.same(listed.find(({ id }) => id === inner.id)?.parentId, outer.id, "the parent of a folder within it");
    yield* ask("move", (folders) => folders.change(account, inner.id, { parentId: null }));
    const top = yield* ask("list", (folders) => folders.list(account));
    visit.same(
      top.find(({ id }) => id === inner.id)?.parentId,
      null,
      "the parent of a folder that was moved to the top",
    );
    yield* ask("move", (folders) => folders.change(account, inner.id, { parentId: outer.id }));
    const target = yield* create("Target");
    for (let n = 0; n < 3; n++) {
      mail.mailbox("Renamed elsewhere").append(textOf("<equal@far.test>", account), cluster.timeline.now);
    }
    const removal = { moveTo: target.id, permanent: false, recursive: false };
    const parent = yield* refusal("remove", (folders) => folders.remove(account, outer.id, removal));
    visit.same(parent, "FolderHasChildren", "removing a folder with others in it");
    const removed = yield* ask("remove", (folders) =>
      folders.remove(account, outer.id, { ...removal, recursive: true }),
    );
    visit.same([removed.movedTo, removed.movedCount], [target.id, 3], "the answer to a removal");
    visit.same(mail.mailbox("Target").messages.length, 3, "the messages of a removed folder");
    const left = yield* ask("list", (folders) => folders.list(account));
    visit.same(
      left.map(({ name }) => name),
      ["Target"],
      "the folders that are left",
    );
    visit.same(yield* refusal("remove", (all) => all.remove(account, outer.id, removal)), "FolderNotFound", "a repeat");
    const own = yield* create("Own");
    mail.mailbox("Own").append(textOf("<own@far.test>", account), cluster.timeline.now);
    yield* ask("remove", (folders) => folders.remove(account, own.id, { ...removal, moveTo: "inbox" }));
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same(mail.mailbox("INBOX").messages.length, 1, "the messages of a folder that was removed into INBOX");
    visit.same(
      eventsOf(cluster, account, "email.received").length,
      0,
      "the arrivals when Postern moves mail into INBOX",
    );
    mail.mailbox("Target").append(textOf("<lost@far.test>", account), cluster.timeline.now);
    yield* ask("destroy", (folders) => folders.remove(account, target.id, { permanent: true, recursive: false }));
    yield* visit.wait(REMOVAL_MILLIS);
    visit.same(mail.list().filter(({ path }) => !SPECIAL.has(path)).length, 0, "what is left on the mail server");
    visit.same(mail.mailbox("Trash").messages.length, 0, "what was destroyed");
  });

const SPECIAL = new Set(["INBOX", "Sent", "Drafts", "Junk", "Trash"]);
