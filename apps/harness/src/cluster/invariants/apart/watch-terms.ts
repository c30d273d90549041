import { AccountChanges, LiveEvents } from "@postern/core/lifecycle";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { DAY, MINUTE, SECOND } from "./durations.ts";

/** The maximum time until an event of INBOX is announced. */
const SOON = 6 * SECOND;
/** The time for which a message that left is recognised when it comes back. */
const RECOGNISED = 90 * DAY;

/**
 * An account is watched for a minute after its last stream. Mail that arrives while no process runs is announced afterwards, the
 * oldest first, as arrived during an outage, and mail from before a watch is not. A message that is back within 90 days has
 * returned. [S7.4-4] [S7.4-8] [S7.4-9] [S7.4-10]
 */
export const watchTerms: Invariant = {
  name: "watch-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        yield* watchForAMinute(visit, cluster);
        yield* comeBack(visit, cluster);
        yield* moveBack(visit, cluster);
        yield* catchUp(visit, cluster);
      }),
  }),
};

const receivedBy = (cluster: Cluster, account: Parameters<typeof eventsOf>[1]) => () =>
  eventsOf(cluster, account, "email.received");

const watchForAMinute = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("streaming");
    const { arrive } = ownerOf(visit, cluster, account);
    const told = receivedBy(cluster, account);
    arrive();
    const follow = visit.ask("follow", (services) =>
      Effect.gen(function* () {
        const items = yield* Context.get(services, LiveEvents).open(account, undefined, Effect.succeed(true));
        yield* Stream.runDrain(Stream.interruptWhen(items, Effect.sleep(18 * SECOND)));
      }),
    );
    yield* follow;
    yield* visit.wait(50 * SECOND);
    arrive();
    yield* visit.within(SOON, "an arrival within a minute of a stream is not announced", () => told().length === 1);
    yield* visit.wait(110 * SECOND);
    arrive();
    yield* follow;
    yield* visit.wait(SOON);
    visit.same(told().length, 1, "the arrivals that are announced of an account that was not watched");
  });

const comeBack = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("coming-back");
    const { arrive, create } = ownerOf(visit, cluster, account);
    const told = receivedBy(cluster, account);
    yield* create("https://visit.sim.test/coming-back");
    const messageIds = [arrive(), arrive()];
    yield* visit.within(SOON, "an arrival is not announced", () => told().length === 2);
    const inbox = cluster.mail.account(account).mailbox("INBOX");
    inbox.expunge(inbox.messages.map(({ uid }) => uid));
    yield* visit.within(
      SOON,
      "a departure is not announced",
      () => eventsOf(cluster, account, "email.deleted").length === 2,
    );
    for (const [n, messageId] of messageIds.entries()) {
      yield* visit.skip(n === 0 ? RECOGNISED - DAY : 2 * DAY);
      const before = told().length;
      inbox.append(textOf(messageId, account), visit.now);
      // Events are deleted after two weeks, at a time of their own.
      const last = () => told().at(-1);
      yield* visit.within(
        2 * MINUTE,
        "a message that is back is not announced",
        () => told().length > before || last()?.occurredAt === visit.now,
      );
      visit.same(
        last() && dataOf(last()!, "returned"),
        n === 0 ? true : undefined,
        `whether a message has returned after ${n === 0 ? 89 : 91} days`,
      );
    }
  });

/** A message that Postern moves into INBOX is not announced; one that another program moves away and back soon afterwards is. */
const moveBack = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("moving-back");
    const { arrive, create } = ownerOf(visit, cluster, account);
    const told = receivedBy(cluster, account);
    yield* create("https://visit.sim.test/moving-back");
    const messageId = arrive();
    yield* visit.within(SOON, "an arrival is not announced", () => told().length === 1);
    const mail = cluster.mail.account(account);
    const move = (from: string, to: string) => {
      const { messages } = mail.mailbox(from);
      mail.mailbox(from).expunge(messages.map(({ uid }) => uid));
      mail.mailbox(to).append(textOf(messageId, account), visit.now);
    };
    move("INBOX", "Junk");
    yield* visit.wait(MINUTE);
    const { page } = yield* visit.ask("list Junk", (services) =>
      Context.get(services, Inbox).list(account, { folder: "junk" }),
    );
    yield* visit.ask("move into INBOX", (services) =>
      Context.get(services, MessageActions).change(account, page.emails[0]!.id, {}, "inbox"),
    );
    yield* visit.wait(MINUTE);
    visit.same(told().length, 1, "the arrivals of a message that Postern moved into INBOX");
    move("INBOX", "Junk");
    yield* visit.wait(MINUTE);
    move("Junk", "INBOX");
    yield* visit.within(SOON, "a message that another program moved back is not announced", () => told().length === 2);
    visit.same(dataOf(told().at(-1)!, "returned"), true, "whether a message that was moved back has returned");
  });

/** Mail arrives in two folders while no node runs. */
const catchUp = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("catching-up");
    const mail = cluster.mail.account(account);
    const { arrive, create } = ownerOf(visit, cluster, account);
    const told = receivedBy(cluster, account);
    yield* create("https://visit.sim.test/catching-up");
    const archive = mail.create(ARCHIVE);
    yield* visit.ask("follow all", (services) => Context.get(services, AccountChanges).follow(account, "all"));
    const first = arrive();
    yield* visit.within(SOON, "an arrival is not announced", () => told().length === 1);
    for (let place = 0; place < cluster.size; place++) cluster.crash(place);
    const arrived: Array<string> = [];
    for (let n = 0; n < 4; n++) {
      yield* visit.wait(2 * MINUTE);
      if (n % 2 === 1) arrived.push(arrive());
      else {
        arrived.push(`<archived-${n}@far.test>`);
        archive.append(textOf(arrived.at(-1)!, account), visit.now);
      }
    }
    for (let place = 0; place < cluster.size; place++) cluster.boot(place);
    yield* visit.within(
      MINUTE,
      "mail that arrived during an outage is not announced",
      () => told().length === arrived.length + 1,
    );
    const last = arrive();
    yield* visit.within(
      SOON,
      "mail that arrives after an outage is not announced",
      () => told().length === arrived.length + 2,
    );
    visit.same(
      told().map((event) => [dataOf(event, "messageId"), dataOf(event, "backfill")]),
      [[first, undefined], ...arrived.map((id) => [id, true]), [last, undefined]],
      "the arrivals before, during and after an outage",
    );
  });
