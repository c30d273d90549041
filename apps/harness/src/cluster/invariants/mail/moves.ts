import { AccountChanges } from "@postern/core/lifecycle";
import { Inbox, Messages } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/**
 * The maximum time until an event of INBOX is delivered, and the interval of polls of other folders, in milliseconds.
 */
const SOON = 6_000;
const LOOKED_AT = 50_000;

/** The endpoint that follows INBOX only. */
const INBOX_ONLY = "https://visit.sim.test/moving-inbox";

/**
 * In an account that follows all folders, each move of a message by another client, in either direction, causes one
 * `email.moved` and no other event; the id of the message stays and opens it. A receiver that follows one of the two folders gets another
 * event in its place. [S7.11-3] [S7.11-8]
 */
export const moves: Invariant = {
  name: "moves",
  watch: (cluster) => ({ calm: (visit) => moveMessages(visit, cluster) }),
};

const moveMessages = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("moving");
    const mail = cluster.mail.account(account);
    const archive = mail.create(ARCHIVE);
    const inbox = mail.mailbox("INBOX");
    yield* visit.ask("follow", (services) => Context.get(services, AccountChanges).follow(account, "all"));
    const { create, arrive, posts } = ownerOf(visit, cluster, account);
    yield* create("https://visit.sim.test/moving", { events: ["email.received", "email.moved"], folders: ["*"] });
    const halves = { events: ["email.received", "email.moved", "email.deleted"], folders: ["inbox"] } as const;
    yield* create(INBOX_ONLY, halves);
    const messageId = arrive();
    arrive();
    // Receivers that follow only some folders get other events instead of a move.
    const told = () =>
      eventsOf(cluster, account).filter((event) => event.type.startsWith("email.") && event.standsForMove !== true);
    yield* visit.within(SOON, "an arrival is not announced", () => told().length === 2);
    const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
    const { id } = page.emails.find(({ message }) => message.messageId === messageId)!;
    for (const [n, [from, to]] of (
      [
        [inbox, archive],
        [archive, inbox],
      ] as const
    ).entries()) {
      const uid = from.messages.find(({ summary }) => summary.messageId === messageId)!.uid;
      from.move([uid], to);
      yield* visit.within(LOOKED_AT, "a move by another client is not announced", () => told().length === n + 3);
      visit.same([told().at(-1)?.type, dataOf(told().at(-1)!, "id")], ["email.moved", id], "what a move is told as");
      const tag = yield* visit.tagOf("read", (services) => Context.get(services, Messages).read(account, id));
      visit.same(tag, "Answered", "a request for a message that was moved");
    }
    yield* visit.wait(SOON);
    visit.same(told().length, 4, "the events of two arrivals and two moves");
    const heard = posts(INBOX_ONLY).map(({ post }) => JSON.parse(new TextDecoder().decode(post.body)).event);
    const expected = ["email.received", "email.received", "email.deleted", "email.received"];
    visit.same(heard, expected, "what an endpoint is told that follows one of the two folders");
  });
