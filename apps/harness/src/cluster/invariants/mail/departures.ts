import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** How long an event may take, in milliseconds. */
const SOON = 6_000;

/**
 * An id that is told as deleted was handed out for the message that left, once, whether the message left before or after
 * its INBOX got a new UIDVALIDITY; the ids of messages that stayed are not told. [S7.3-1]
 */
export const departures: Invariant = {
  name: "departures",
  watch: (cluster) => ({ calm: (visit) => leaving(visit, cluster) }),
};

const leaving = (visit: Visit, cluster: Cluster) =>
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
    visit.same(told("email.received").length, 5, "the arrivals after a new UIDVALIDITY");
  });
