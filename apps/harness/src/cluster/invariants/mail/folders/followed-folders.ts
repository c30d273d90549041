import { FolderManagement } from "@postern/core/folders";
import { AccountChanges } from "@postern/core/lifecycle";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import { byText } from "../../../by-text.ts";
import type { Cluster } from "../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../events-of.ts";
import type { Invariant } from "../../../Invariant.ts";
import type { Visit } from "../../../Visit.ts";
import { textOf } from "../../../world/accounts.ts";
import { ARCHIVE } from "../../../world/folders.ts";
import { heard, lineOf, outsideJunk, urlOf } from "../heard-events.ts";
import { ownerOf } from "../../webhooks/owner-of.ts";

/** The maximum time until a change in any folder is announced, in milliseconds. */
const LOOKED_AT = 50_000;
/** The time in which an event that must not come would come, in milliseconds. */
const SOON = 3_000;
const TYPES = [
  "email.received",
  "email.moved",
  "email.deleted",
  "email.flags_changed",
  "email.sent",
  "draft.changed",
] as const;

/**
 * In an account that follows all folders, each arrival, departure, move and change of flags in any folder has the one event that
 * is promised for the folder, and each receiver gets the events of its folders. [S7.11-2] [S7.11-4] [S7.11-5] [S7.11-6]
 * [S7.11-7] [S7.11-8]
 */
export const followedFolders: Invariant = {
  name: "followed-folders",
  watch: (cluster) => ({ calm: (visit) => followFolders(visit, cluster) }),
};

const followFolders = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("followed");
    const mail = cluster.mail.account(account);
    mail.create(ARCHIVE);
    mail.create("Fresh");
    const add = (path: string, name: string) =>
      mail.mailbox(path).append(textOf(`<${name}@far.test>`, account), visit.now).uid;
    for (const name of ["kept", "own-moved", "junked"]) add(ARCHIVE, name);
    yield* visit.ask("follow", (services) => Context.get(services, AccountChanges).follow(account, "all"));
    const { create, posts } = ownerOf(visit, cluster, account);
    const receivers = [
      ["all", ["*"]],
      ["junk", ["junk"]],
      ["inbox", ["inbox"]],
    ] as const;
    for (const [name, folders] of receivers) yield* create(urlOf(name), { events: TYPES, folders });
    const told = () =>
      eventsOf(cluster, account).filter(
        ({ type, standsForMove }) => TYPES.includes(type as never) && standsForMove !== true,
      );
    const expectTold = (promised: ReadonlyArray<string>, when: string, before: number) =>
      Effect.gen(function* () {
        yield* visit.within(
          LOOKED_AT,
          `changes are not announced ${when}`,
          () => told().length - before >= promised.length,
        );
        yield* visit.wait(SOON);
        visit.same(told().slice(before).map(lineOf).toSorted(), promised.toSorted(), `the events ${when}`);
      });

    add("INBOX", "in-inbox");
    add(ARCHIVE, "in-archive");
    add("Junk", "in-junk");
    const sent = add("Sent", "in-sent");
    add("Drafts", "in-drafts");
    add("Fresh", "in-fresh");
    const arrivals = [
      "email.received INBOX",
      `email.received ${ARCHIVE}`,
      "email.received Junk",
      "email.sent Sent mailbox",
      "draft.changed Drafts",
      "email.received Fresh",
    ];
    yield* expectTold(arrivals, "after arrivals in six folders", 0);
    visit.same(heard(posts(urlOf("junk"))), ["email.received Junk"], "what a receiver of Junk gets");
    visit.same(heard(posts(urlOf("inbox"))), ["email.received INBOX"], "what a receiver of INBOX gets");
    const ofAll = outsideJunk(arrivals);
    visit.same(heard(posts(urlOf("all"))), ofAll.toSorted(), "what a receiver of all folders gets");

    const archive = mail.mailbox(ARCHIVE);
    const uidOf = (name: string) =>
      archive.messages.find(({ summary }) => summary.messageId === `<${name}@far.test>`)!.uid;
    archive.find(uidOf("kept"))!.flags = ["\\Flagged"];
    mail.mailbox("Sent").expunge([sent]);
    add("Fresh", "kept");
    archive.move([uidOf("junked")], mail.mailbox("Junk"));
    const { page } = yield* visit.ask("list", (services) =>
      Context.get(services, Inbox).list(account, { folder: ARCHIVE }),
    );
    const own = page.emails.find(({ message }) => message.messageId === "<own-moved@far.test>")!;
    const folders = yield* visit.ask("folders", (services) => Context.get(services, FolderManagement).list(account));
    const fresh = folders.find(({ name }) => name === "Fresh")!.id;
    yield* visit.ask("move", (services) => Context.get(services, MessageActions).change(account, own.id, {}, fresh));
    const changes = [
      `email.flags_changed ${ARCHIVE}`,
      "email.deleted Sent",
      "email.received Fresh",
      `email.moved Junk ${ARCHIVE}`,
      `email.moved Fresh ${ARCHIVE}`,
    ];
    const before = posts(urlOf("all")).length;
    yield* expectTold(changes, "after changes in several folders", arrivals.length);
    const ids = (name: string) =>
      told()
        .filter((event) => dataOf(event, "messageId") === `<${name}@far.test>`)
        .map((event) => dataOf(event, "id"));
    visit.same(ids("own-moved"), [own.id], "the id of a message that Postern moved");
    const standIns = [`email.deleted ${ARCHIVE} moved`, "email.received Junk moved"];
    const others = outsideJunk(changes);
    visit.same(
      heard(posts(urlOf("all")).slice(before)),
      [...others, standIns[0]].toSorted(byText),
      "what a receiver of all folders gets of changes",
    );
    visit.same(heard(posts(urlOf("junk")).slice(1)), [standIns[1]], "what a receiver of Junk gets of a move");

    mail.delete("Fresh");
    yield* expectTold(
      ["email.deleted ", "email.deleted ", "email.deleted "],
      "after another client deleted a folder",
      arrivals.length + changes.length,
    );
  });
