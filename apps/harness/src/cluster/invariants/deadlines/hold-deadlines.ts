import { sendingKeyOf } from "@postern/core/send";
import { Effect } from "effect";
import { clientOf } from "../send/outbox-client.ts";
import { changeAll, keysOf } from "../send/mail-of-keys.ts";
import { DAY, type Deadline, type Deadlines, HOUR, MINUTE } from "./Deadline.ts";
import { managedAccount } from "./managed-account.ts";

/**
 * The time in hold does not count as waiting; a held message is cancelled after 30 days and not before. A key may send
 * its number of messages in each 24 hours. [S6.4-4] [S6.6-9] [S6.7-5] [S10.2-19]
 */
export const holdDeadlines: Deadlines = (visit, cluster) =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* managedAccount(visit, cluster, "held-for-days"));
    const { account, send, state, release, attempts, events } = client;
    const { ask, make } = keysOf(visit);
    const sendAt = visit.now + HOUR;
    const more = { expiresAfter: "1d" };
    const byOperator = yield* send("later-one", { sendAt, more });
    const forgotten = yield* send("forgotten-one", { sendAt });
    yield* changeAll(client, "hold", { account });
    const [gone, away] = [yield* make("held-for-days"), yield* make("suspended-for-days")];
    const byKey = yield* send("later-two", { sendAt, by: gone, more });
    const lost = yield* send("forgotten-two", { sendAt, by: gone });
    const bySuspension = yield* send("later-three", { sendAt, by: away, more });
    yield* ask((keys) => keys.remove(gone.id));
    yield* ask((keys) => keys.suspend("suspended-for-days"));
    const waiting = [byOperator, byKey, bySuspension];
    const subjects = ["later-one", "later-two", "later-three", "forgotten-one", "forgotten-two"];
    const expectStates = (promised: ReadonlyArray<string>, when: string) =>
      Effect.map(Effect.forEach(subjects, state), (found) => visit.same(found, promised, `the states ${when}`));
    const expectAttempts = (count: number, when: string) =>
      Effect.sync(() => {
        const counts = waiting.map(({ id }) => attempts(id).length);
        visit.same(counts, [count, count, count], `the attempts at messages that were held for days ${when}`);
      });
    const limited = yield* ask((keys) => keys.make({ ...LIMITED, application: "daily", name: "daily", sendPerDay: 1 }));
    const by = sendingKeyOf(limited.key);
    const expectSending = (tag: string, when: string) =>
      Effect.map(Effect.result(send("limited", { by })), (sent) =>
        visit.same(sent._tag === "Success" ? "sent" : sent.failure._tag, tag, `a message of a key ${when}`),
      );
    yield* expectSending("sent", "that has sent none");
    return [
      [DAY - 10 * MINUTE, expectSending("KeySendRateExceeded", "in the day of its last one")],
      [DAY + 10 * MINUTE, expectSending("sent", "a day after its last one")],
      [3 * DAY, expectStates(["held", "held", "held", "held", "held"], "after three days in hold")],
      [3 * DAY, changeAll(client, "release", { messageId: byOperator.messageId })],
      [3 * DAY, release(byKey.id, null)],
      [3 * DAY, ask((keys) => keys.resume("suspended-for-days"))],
      [3 * DAY + 10_000, expectAttempts(1, "after their release")],
      [3 * DAY + 2 * MINUTE, expectAttempts(2, "a minute after the first")],
      [3 * DAY + 8 * MINUTE, expectAttempts(3, "five minutes after the second")],
      [3 * DAY + 8 * MINUTE, expectStates(["sent", "sent", "sent", "held", "held"], "after the release of some")],
      [
        3 * DAY + 8 * MINUTE,
        Effect.sync(() => {
          for (const { messageId } of waiting)
            visit.same(events(messageId), ["email.sent"], "the events of a message that was held for days");
        }),
      ],
      [30 * DAY - HOUR, expectStates(["sent", "sent", "sent", "held", "held"], "before 30 days in hold")],
      [30 * DAY + HOUR, expectStates(["sent", "sent", "sent", "cancelled", "cancelled"], "after 30 days in hold")],
      [
        30 * DAY + HOUR,
        Effect.sync(() =>
          visit.same(attempts(lost.id).concat(attempts(forgotten.id)), [], "the attempts at forgotten messages"),
        ),
      ],
    ] satisfies ReadonlyArray<Deadline>;
  });

const LIMITED = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;
