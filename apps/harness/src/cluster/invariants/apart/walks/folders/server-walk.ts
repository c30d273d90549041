import { FolderManagement, FolderRemovals } from "@postern/core/folders";
import { AccountChanges, AccountCreation } from "@postern/core/lifecycle";
import { Inbox, MessageActions, Messages } from "@postern/core/messages";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { PASSWORD, type Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { HOUR, MINUTE, SECOND } from "../../durations.ts";
import { serversAt } from "../accounts/walked-account.ts";
import { type Act, walk } from "../walk.ts";

const EMAIL = AccountId("moving@own.test");
const STEPS = 6;
const PLACES = ["INBOX", "Parted"] as const;

/**
 * If the servers of an account change, the ids of its messages end, although both servers have the same counters, and unfinished
 * removals of folders go on nowhere; listings show the new server, whose earlier mail is not told. [S5.2-14] [S10.3-26]
 */
export const serverWalk: Invariant = {
  name: "server-walk",
  watch: () => ({
    // In every other seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([true, false]) ? changeServers(visit, cluster) : Effect.void),
  }),
};

const changeServers = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const mails = { own: cluster.mail.at("imap.own.test"), new: cluster.mail.at("imap.new.test") };
    let at: "own" | "new" = "own";
    for (const [place, server] of Object.entries(mails)) {
      server.addAccount(EMAIL, PASSWORD);
      const mail = server.account(EMAIL);
      mail.create("Parted");
      for (const folder of PLACES) {
        for (const n of folder === "INBOX" || place === "own" ? [1, 2] : [1, 2, 3, 4])
          mail.mailbox(folder).append(textOf(`<${place}-${folder}-${n}@far.test>`, EMAIL), visit.now);
      }
    }
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    const { id: account } = yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(
        { email: EMAIL, name: null, secret, tags: [], follow: random.pick(["all", undefined]), ...serversAt("own") },
        null,
      ),
    );
    const here = () => mails[at].account(account);
    yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/moving");
    const ids = new Map<string, string>();
    const ended: Array<string> = [];
    let [isRefused, moves] = [false, 0];
    /** Events apart from those that stand for a move, and from arrivals before a removal, which only some accounts announce. */
    const told = () =>
      eventsOf(cluster, account).flatMap((event) =>
        event.type === "email.received" &&
        event.standsForMove !== true &&
        !String(dataOf(event, "messageId")).startsWith("<kept-")
          ? [dataOf(event, "messageId")]
          : event.type === "account.servers_changed"
            ? [dataOf(event, "imap")]
            : [],
      );
    const promised: Array<unknown> = [];
    const ask = <A, E>(use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const list = Effect.gen(function* () {
      const folders = yield* ask((all) => all.list(account));
      visit.same(
        folders.map(({ name }) => name),
        isRefused ? [] : ["Parted"],
        "the folders of the present server",
      );
      for (const folder of isRefused ? ["INBOX"] : PLACES) {
        const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder }));
        const stored = here()
          .mailbox(folder)
          .messages.map(({ summary }) => summary.messageId);
        visit.same(
          page.emails.map(({ message }) => message.messageId),
          stored.toReversed(),
          `what ${folder} shows of the present server`,
        );
        for (const { id, message } of page.emails) {
          visit.same(ids.get(message.messageId!) ?? id, id, `the id of ${message.messageId}`);
          visit.expect(!ended.includes(id), "a message has the id of a message of the former server");
          const isUsed = [...ids].some(([other, used]) => used === id && other !== message.messageId);
          visit.expect(!isUsed, "two messages have one id");
          ids.set(message.messageId!, id);
        }
      }
      for (const id of random.some(ended, 2)) {
        const tag = visit.tagOf("read", (services) => Context.get(services, Messages).read(account, id));
        visit.same(yield* tag, "MessageNotFound", "an id of the former server");
      }
      visit.same(told(), promised, "the arrivals and changes of servers that are told");
      return folders;
    });
    const acts: ReadonlyArray<Act> = [
      { name: "list folders and messages", weight: 2, run: list },
      {
        name: "a message arrives",
        run: Effect.gen(function* () {
          yield* visit.wait(5 * SECOND);
          const messageId = `<arrived-${promised.length}@far.test>`;
          here().mailbox("INBOX").append(textOf(messageId, account), visit.now);
          promised.push(messageId);
          yield* visit.wait(5 * SECOND);
        }),
      },
      {
        name: "Postern moves a message",
        isPossible: () => !isRefused,
        run: Effect.gen(function* () {
          const [folder] = yield* list;
          const one = here().mailbox("INBOX").messages[0]?.summary.messageId;
          if (one == null || folder === undefined) return;
          yield* visit.ask("move", (services) =>
            Context.get(services, MessageActions).change(account, ids.get(one)!, {}, folder.id),
          );
        }),
      },
      {
        name: "the mail server refuses a removal",
        weight: 2,
        isPossible: () => !isRefused,
        run: Effect.gen(function* () {
          const [folder] = yield* list;
          here()
            .mailbox("Parted")
            .append(textOf(`<kept-${++moves}@far.test>`, account), visit.now);
          here().mailbox("Trash").isReadOnly = true;
          isRefused = true;
          const refused = visit.tagOf("remove", (services) =>
            Context.get(services, FolderManagement).remove(account, folder!.id, { permanent: false, recursive: false }),
          );
          visit.same(yield* refused, "MailServerError", "a removal that the mail server refuses");
        }),
      },
      {
        name: "the account moves to the other servers",
        weight: 2,
        run: Effect.gen(function* () {
          yield* list;
          const [former, before] = [here(), at];
          at = at === "own" ? "new" : "own";
          yield* visit.ask("move", (services) =>
            Context.get(services, AccountChanges).change(
              EMAIL,
              { password: Redacted.make(PASSWORD), servers: serversAt(at) },
              null,
            ),
          );
          promised.push({ host: `imap.${at}.test`, port: 993 });
          ended.push(...ids.values());
          ids.clear();
          const unfinished = cluster.ask((ports) => Context.get(ports, FolderRemovals).unfinished(account));
          visit.same(unfinished.length, 0, `the removals that go on after the account left ${before}`);
          const events = () => eventsOf(cluster, account).filter(({ type }) => type.startsWith("folder.")).length;
          const known = events();
          former.mailbox("Trash").isReadOnly = false;
          const hidden = former.list().find(({ path }) => path.includes("postern-"));
          const count = hidden?.mailbox?.messages.length;
          isRefused = false;
          yield* visit.skip(random.pick([MINUTE, HOUR]));
          yield* visit.wait(20 * SECOND);
          yield* list;
          visit.same(hidden?.mailbox?.messages.length, count, "the messages that a removal left on the former server");
          visit.same(events(), known, "the events of folders after a change of servers");
          // The user restores the folder.
          if (hidden !== undefined) former.rename(hidden.path, "Parted");
        }),
      },
    ];
    yield* walk(visit, cluster, acts, STEPS);
  });
