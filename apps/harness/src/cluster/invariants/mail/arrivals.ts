import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import { factsOf } from "../../Fact.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD, textOf, USERS } from "../../world/accounts.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { unreadArrivals } from "./unread-arrivals.ts";

/** The maximum time until an event is delivered, in milliseconds. */
const SOON = 6_000;
/** A number of messages larger than is recorded before a worker records the rest. */
const PRESENT = 10;

/**
 * Each message that arrived and stayed has exactly one `email.received`. A message from before the watch, or moved into
 * INBOX by its user, has none, even if INBOX gets a new UIDVALIDITY before all earlier messages were recorded. No
 * message is announced twice. [S7.3-1] [S7.3-3] [S7.4-3] [S7.4-7]
 */
export const arrivals: Invariant = {
  name: "arrivals",
  watch: (cluster) => ({
    calm: (visit) => recreateWhileRecording(visit, cluster),
    quiet: () => {
      const { facts } = cluster;
      for (const account of USERS) {
        const ids = (some: ReadonlyArray<{ readonly account: AccountId; readonly messageId: string }>) =>
          new Set(some.flatMap((fact) => (fact.account === account ? [fact.messageId] : [])));
        const left = unreadArrivals(cluster, account);
        const announced = Map.groupBy(eventsOf(cluster, account, "email.received"), (event) =>
          dataOf(event, "messageId"),
        );
        for (const messageId of ids(factsOf(facts, "MailPresent"))) {
          if (announced.has(messageId)) cluster.violate("arrivals", `${messageId} was there before the watch`);
        }
        for (const messageId of ids(factsOf(facts, "MailFiled"))) {
          if (announced.has(messageId)) cluster.violate("arrivals", `${messageId} was moved into INBOX by its user`);
        }
        for (const messageId of ids(factsOf(facts, "MailArrived"))) {
          const count = announced.get(messageId)?.length ?? 0;
          if (count > 1) cluster.violate("arrivals", `${messageId} is announced ${count} times`);
          if (count === 0 && !left.has(messageId)) cluster.violate("arrivals", `${messageId} is not announced`);
        }
      }
    },
  }),
};

/** INBOX gets a new UIDVALIDITY while the messages from before the watch are being recorded. */
const recreateWhileRecording = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = AccountId("recorded@sim.test");
    const mail = cluster.mail.addAccount(account, PASSWORD);
    for (let n = 1; n <= PRESENT; n++)
      mail.mailbox("INBOX").append(textOf(`<recorded-${n}@far.test>`, account), visit.now);
    yield* visit.signIn(account, PASSWORD);
    const { create, arrive } = ownerOf(visit, cluster, account);
    let isRecreated = false;
    const see = ({ port, method, args }: AnsweredCall) => {
      if (isRecreated || port !== "FollowedMailboxes" || method !== "backfill" || args[0] !== account) return;
      isRecreated = true;
      mail.recreate("INBOX");
    };
    cluster.observers.push(see);
    yield* create("https://visit.sim.test/recorded");
    yield* visit.within(SOON, "the messages from before a watch are not recorded", () => isRecreated);
    cluster.observers.splice(cluster.observers.indexOf(see), 1);
    yield* visit.wait(SOON);
    const messageId = arrive();
    const told = () => eventsOf(cluster, account, "email.received").map((event) => dataOf(event, "messageId"));
    yield* visit.within(SOON, "a message that arrives after a new UIDVALIDITY is not announced", () =>
      told().includes(messageId),
    );
    visit.same(told(), [messageId], "the arrivals after a new UIDVALIDITY while earlier messages were recorded");
  });
