import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** The maximum time until an event is delivered, in milliseconds. */
const SOON = 6_000;

/**
 * Each message that leaves INBOX is reported as deleted once, under its id, whether it left before or after INBOX got a
 * new UIDVALIDITY, and even while Postern itself moves a message into INBOX. The ids of messages that stayed are not
 * reported. A message that comes back is announced as returned, once. [S7.3-1] [S7.4-5] [S7.4-8]
 */
export const departures: Invariant = {
  name: "departures",
  watch: (cluster) => ({ calm: (visit) => leaveInbox(visit, cluster) }),
};

const leaveInbox = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("departing");
    const { create, arrive } = ownerOf(visit, cluster, account);
    yield* create("https://visit.sim.test/departing");
    const mail = cluster.mail.account(account);
    const messageIds = Array.from({ length: 5 }, arrive);
    const told = (type: "email.received" | "email.deleted") => eventsOf(cluster, account, type);
    yield* visit.within(SOON, "an arrival is not announced", () => told("email.received").length === 5);
    const announced = new Map(
      told("email.received").map((event) => [String(dataOf(event, "messageId")), String(dataOf(event, "id"))] as const),
    );
    const listed = Effect.map(
      visit.ask("list", (services) => Context.get(services, Inbox).list(account, {})),
      ({ page }) => new Map(page.emails.map(({ id, message }) => [message.messageId, id] as const)),
    );
    const uidOf = (messageId: string) =>
      mail.mailbox("INBOX").messages.find(({ summary }) => summary.messageId === messageId)!.uid;
    const gone: Array<string> = [];
    const leave = (messageId: string, id: string | undefined) => {
      mail.mailbox("INBOX").expunge([uidOf(messageId)]);
      gone.push(String(id));
    };
    const check = Effect.gen(function* () {
      yield* visit.within(SOON, "a departure is not announced", () => told("email.deleted").length >= gone.length);
      const ids = told("email.deleted").map((event) => String(dataOf(event, "id")));
      visit.same(ids.toSorted(), gone.toSorted(), "the ids that are told as deleted");
      const present = new Set((yield* listed).values());
      visit.expect(!ids.some((id) => present.has(id)), "the id of a message that stayed is told as deleted");
    });
    leave(messageIds[1]!, announced.get(messageIds[1]!));
    yield* check;
    // One message leaves unnoticed before the others get new UIDs.
    leave(messageIds[0]!, announced.get(messageIds[0]!));
    mail.recreate("INBOX");
    yield* check;
    const renumbered = yield* listed;
    leave(messageIds[3]!, renumbered.get(messageIds[3]!));
    yield* check;
    // Another client deletes one message and flags another at the moment when the user moves one into INBOX.
    mail.create(ARCHIVE).append(textOf("<own-move@far.test>", account), visit.now);
    const { page } = yield* visit.ask("list", (services) =>
      Context.get(services, Inbox).list(account, { folder: ARCHIVE }),
    );
    const present = yield* listed;
    const flagged = present.get(messageIds[2]!);
    const meanwhile = ({ port, method, args }: AnsweredCall) => {
      if (port !== "MessageChanges" || method !== "move" || args[0] !== account) return;
      leave(messageIds[4]!, present.get(messageIds[4]!));
      const uid = uidOf(messageIds[2]!);
      mail.mailbox("INBOX").messages.find((one) => one.uid === uid)!.flags = new Set(["\\Flagged"]);
    };
    cluster.observers.push(meanwhile);
    yield* visit.ask("move", (services) =>
      Context.get(services, MessageActions).change(account, page.emails[0]!.id, {}, "inbox"),
    );
    cluster.observers.splice(cluster.observers.indexOf(meanwhile), 1);
    yield* check;
    const flags = () => eventsOf(cluster, account, "email.flags_changed").map((event) => dataOf(event, "id"));
    yield* visit.within(SOON, "a change of flags beside an own move is not announced", () => flags().includes(flagged));
    visit.same(told("email.received").length, 5, "the arrivals after a new UIDVALIDITY and a move into INBOX");
    // Another client brings a message back, and then another copy of it.
    for (const returned of [true, undefined]) {
      const known = told("email.received").length;
      mail.mailbox("INBOX").append(textOf(messageIds[4]!, account), visit.now);
      yield* visit.within(SOON, "a message that is back is not announced", () => told("email.received").length > known);
      visit.same(dataOf(told("email.received").at(-1)!, "returned"), returned, "whether an arrival has returned");
    }
  });
