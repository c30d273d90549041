import { assert, layer } from "@effect/vitest";
import { AgentGrantRecords } from "@postern/core/assistants";
import { type ParseJob, newParseJob, ParseJobs } from "@postern/core/bounces";
import { IdempotencyKeys, OutgoingJournal, TrackedMessages } from "@postern/core/send";
import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import { Endpoints, initialSecrets, newEndpoint, ownedBy } from "@postern/core/webhooks";
import { freshAccount } from "@postern/testkit";
import { Effect, type Layer, Logger, Option, Redacted } from "effect";
import { sql } from "kysely";
import { Database } from "../src/index.ts";

/** JSON of a later version, and invalid JSON. */
const UNREADABLE = ['{"v":2}', "damaged"];

const messageText = (id: string, account: AccountId) =>
  `{"id":"${id}","account":"${account}","messageId":"<${id}>","createdAt":7,"from":"a","to":["b"],"cc":[],"subject":"",
    "recipients":[{"address":"b","state":"queued","reply":null}],"step":0,"attemptAt":7,"scheduledFor":null,
    "paused":null,"failure":null,"copy":{"state":"none","step":0,"at":null}}`;

type Stores =
  | Database
  | OutgoingJournal
  | ParseJobs
  | IdempotencyKeys
  | TrackedMessages
  | Endpoints
  | AgentGrantRecords;

/** Declares tests that an unreadable row does not block others, is logged without its text, and stays in its table. */
export const unreadableRowsSuite = (name: string, live: Layer.Layer<Stores, unknown>) =>
  layer(live)(`rows that cannot be read in ${name}`, (it) => {
    /** Returns what the effect logs, with its result. */
    const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const lines: Array<string> = [];
        const logger = Logger.make(
          ({ logLevel, message }) => void lines.push(`${logLevel} ${JSON.stringify(message)}`),
        );
        return [yield* Effect.provide(effect, Logger.layer([logger])), lines] as const;
      });

    const insertMessage = Effect.fnUntraced(function* (id: string, account: AccountId, record: string, dueAt: number) {
      const { query } = yield* Database;
      yield* query((db) =>
        db
          .insertInto("outgoing")
          .values({
            id,
            account,
            state: "queued",
            message_id: `<${id}>`,
            created_at: 7,
            due_at: dueAt,
            lease_token: null,
            finished_at: null,
            record,
          })
          .execute(),
      );
    });

    it.effect.each(UNREADABLE)("an outgoing message: %s [S9.2-6]", (text) =>
      Effect.gen(function* () {
        const journal = yield* OutgoingJournal;
        const account = yield* freshAccount;
        yield* insertMessage(`bad_${account}`, account, text, 1);
        yield* insertMessage(`good_${account}`, account, messageText(`good_${account}`, account), 7);
        const claimed = journal.claim(10, { token: "t", until: 1_000 }, 1);
        const [messages, lines] = yield* logged(claimed);
        assert.deepStrictEqual(
          messages.map(({ id }) => id),
          [`good_${account}`],
        );
        assert.lengthOf(lines, 1);
        assert.include(lines[0], `bad_${account}`);
        assert.match(lines[0]!, /^Error .*cannot be read/);
        assert.notInclude(lines[0], text);
        assert.deepStrictEqual(yield* journal.nextDue, Option.some(1_000), "it is never due again");
        assert.lengthOf(yield* journal.list({ account }, 10, 10), 1);
        const { query } = yield* Database;
        const rows = yield* query((db) =>
          db.selectFrom("outgoing").select("record").where("id", "=", `bad_${account}`).execute(),
        );
        assert.deepStrictEqual(rows, [{ record: text }]);
        while (yield* journal.erase(account, 10));
      }),
    );

    it.effect("the contents of a message", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const account = yield* freshAccount;
        const id = `out_${account}`;
        yield* insertMessage(id, account, messageText(id, account), 7);
        yield* query((db) => db.insertInto("outgoing_contents").values({ id, contents: "{}" }).execute());
        const journal = yield* OutgoingJournal;
        const [contents, lines] = yield* logged(journal.contents(id));
        assert.deepStrictEqual([contents, lines.length], [Option.none(), 1]);
        while (yield* journal.erase(account, 10));
      }),
    );

    it.effect("a job of reading a report, logged without an address", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const jobs = yield* ParseJobs;
        const account = yield* freshAccount;
        const [bad, good] = [1, 2].map((uid) =>
          newParseJob(account, { path: "INBOX", uidValidity: 1, uid }, 1, 2),
        ) as unknown as [ParseJob, ParseJob];
        yield* jobs.insert([bad, good], 5);
        yield* query((db) => db.updateTable("parse_job").set({ record: "{}" }).where("id", "=", bad.id).execute());
        const [claimed, lines] = yield* logged(jobs.claim(10, { token: "t", until: 1_000 }, 1));
        assert.deepStrictEqual(claimed, [good]);
        assert.include(lines[0], "1.1.");
        assert.notInclude(lines[0], account);
      }),
    );

    it.effect("a recorded answer, which is neither repeated nor treated as missing", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const keys = yield* IdempotencyKeys;
        const account = yield* freshAccount;
        const record = { account, key: "k", bodyHash: "h", outgoingId: `out_${account}`, createdAt: 1, answer: null };
        yield* keys.take(record, 0);
        yield* query((db) => db.updateTable("idempotency_key").set({ answer: "{}" }).where("key", "=", "k").execute());
        assert.instanceOf(yield* Effect.flip(keys.find(account, "k")), StoreUnavailable);
      }),
    );

    it.effect("the opens of a tracked message", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const tracked = yield* TrackedMessages;
        const account = yield* freshAccount;
        yield* tracked.insert({ id: account, account, messageId: "<m>", recipient: null, opens: {}, events: 0 });
        yield* query((db) => db.updateTable("tracked_message").set({ opens: "[" }).where("id", "=", account).execute());
        assert.deepStrictEqual(yield* tracked.find(account), Option.none());
      }),
    );

    it.effect.each(UNREADABLE)(
      "a grant, which no request finds and which the sweep removes at its end: %s [S13.3-19]",
      (record) =>
        Effect.gen(function* () {
          const { query } = yield* Database;
          const grants = yield* AgentGrantRecords;
          const account = yield* freshAccount;
          const row = { id: `grn_${account}`, account, created_at: 1, expires_at: 9, record };
          yield* query((db) => db.insertInto("agent_grant").values(row).execute());
          assert.deepStrictEqual(yield* grants.find(row.id), Option.none());
          assert.deepStrictEqual(yield* grants.removeExpired(9, 10), []);
          assert.deepStrictEqual(yield* grants.removeExpired(10, 10), [{ id: row.id, account }]);
          assert.isFalse(yield* grants.hasLive(account, 0));
        }),
    );

    it.effect("the events of an endpoint, which is then listed without events", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const settings = { url: "https://h.test/", events: ["email.sent"] as const };
        const of = (id: string) => newEndpoint(`${id}_${account}`, ownedBy(account), settings, 1);
        for (const id of ["a", "b"]) yield* endpoints.insert(of(id), initialSecrets(Redacted.make("whsec_AAAA")));
        yield* query((db) => sql`update endpoint set events = '{' where id = ${`a_${account}`}`.execute(db));
        const [listed, lines] = yield* logged(endpoints.list(ownedBy(account)));
        assert.deepStrictEqual(listed, [{ ...of("a"), events: [] }, of("b")]);
        assert.lengthOf(lines, 1);
      }),
    );
  });
