import { assert } from "@effect/vitest";
import { EventLedger } from "@postern/core/events";
import { OutgoingJournal } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { DeliveryLog, DeliveryQueue } from "@postern/core/webhooks";
import { Effect } from "effect";
import { type Kysely, sql } from "kysely";
import { migrate } from "../src/database/migrate.ts";
import { migrations } from "../src/migrations/index.ts";
import type { Tables } from "../src/tables/Tables.ts";

const EVENTS = 12;

/** A sent message as every version so far wrote it. */
const RECORD = `{"id":"out_1","account":"a@x.test","messageId":"<out_1@x.test>","createdAt":7,"from":"a@x.test",
  "to":["Ann@Example.com"],"cc":[],"subject":"Grüße","recipients":[{"address":"Ann@Example.com","state":"sent",
  "reply":{"code":250,"enhanced":"2.0.0","text":"OK"}}],"step":0,"attemptAt":null,"scheduledFor":null,"paused":null,
  "failure":null,"copy":{"state":"kept","step":0,"at":null}}`;

/** Writes a database from before deliveries stored the type and position of their events. */
export const writeOldDatabase = async (kysely: Kysely<Tables>): Promise<void> => {
  const before = migrations.findIndex(({ name }) => name === "0015-delivery-order");
  await migrate(kysely, migrations.slice(0, before), 1, async () => {});
  const run = (statement: string) => sql.raw(statement).execute(kysely);
  await run(`insert into endpoint (id, account, url, description, events, state, generation, max_in_flight, ordered,
      disable_policy, honour_retry_after, created_at, updated_at, consecutive_failures)
    values ('we_1', 'a@x.test', 'https://h.test/', '', '["email.sent"]', 'enabled', 1, 4, 1, 'literal', 0, 1, 1, 0)`);
  await sql`insert into outgoing (id, account, message_id, created_at, finished_at, record)
    values ('out_1', 'a@x.test', '<out_1@x.test>', 7, 8, ${RECORD}), ('out_2', 'a@x.test', '', 7, 8, 'damaged')`.execute(
    kysely,
  );
  await run("insert into event_count (account, count) values ('a@x.test', 12)");
  for (let n = 1; n <= EVENTS; n++) {
    // The ids sort in the opposite order.
    const [event, delivery] = [`evt_${100 - n}`, `del_${100 - n}`];
    const type = n % 2 === 0 ? "email.sent" : "email.received";
    await run(`insert into event (id, account, type, occurred_at, body, position)
      values ('${event}', 'a@x.test', '${type}', 5, '{}', ${n})`);
    await run(`insert into delivery (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step, due_at, lost_claims)
      values ('${delivery}', '${event}', 'we_1', 'event', 5, 1, '${n === 1 ? "exhausted" : "pending"}', 0, 0, 0)`);
  }
  await run(`insert into attempt (delivery_id, n, started_at, ms, excerpt) values ('del_99', 1, 1, 1, '')`);
};

/** Queries on the database after its migration. */
export const useOldDatabase = Effect.gen(function* () {
  const queue = yield* DeliveryQueue;
  const log = yield* DeliveryLog;
  const ids = Array.from({ length: EVENTS }, (_, n) => `evt_${99 - n}`);
  const deliveries = yield* log.ofEvents("we_1", ids);
  const kept = Object.fromEntries(deliveries.map(({ eventId, type, position }) => [eventId, [type, position]]));
  const wanted = ids.map((id, n) => [id, [n % 2 === 0 ? "email.received" : "email.sent", n + 1]]);
  assert.deepStrictEqual(kept, Object.fromEntries(wanted));
  const [first, ...more] = yield* queue.claim(10, { token: "t", until: 1_010 }, 10);
  assert.deepStrictEqual([first?.event.id, more], ["evt_98", []]);
  const sent = yield* (yield* OutgoingJournal).findSentTo(AccountId("a@x.test"), ["ann@example.com"], 0);
  assert.deepStrictEqual(sent, [JSON.parse(RECORD)]);
  const journal = yield* OutgoingJournal;
  const [listed] = yield* journal.list({ account: AccountId("a@x.test"), state: "sent" }, 9, 10);
  assert.deepStrictEqual(listed?.message, JSON.parse(RECORD));
  const range = { since: 0, until: 10, after: null };
  const places = yield* log.listReplayable("we_1", range, 3);
  assert.deepStrictEqual(
    places.map(({ eventId }) => eventId),
    ["evt_99", "evt_97", "evt_96"],
  );
  assert.strictEqual(yield* (yield* EventLedger).lastPosition(first!.event.account), EVENTS);
});
