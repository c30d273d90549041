import { it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { CredentialVault } from "@postern/core/auth";
import { CreationRecords } from "@postern/core/creations";
import { AccountId, Transaction } from "@postern/core/shared";
import { ownedBy, WebhookEndpoints } from "@postern/core/webhooks";
import { adaptersInMemory, HARNESS_URL, harnessWithStores } from "@postern/harness";
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");

const CREATIONS = {
  "POST /api/send": { to: "friend@postern.test", subject: "Hi", text: "Hi" },
  "POST /api/drafts": { to: ["friend@postern.test"], subject: "Hi", text: "Hi" },
  "POST /api/settings/folders": { name: "Bills", parentId: null },
};

/** Stores that call `committed` after each commit, and after each key that a creation takes. */
const storesWith = Effect.fnUntraced(function* (committed: () => void) {
  const stores = yield* Layer.build(sqliteStores);
  const [transaction, records] = [Context.get(stores, Transaction), Context.get(stores, CreationRecords)];
  // A commit is not interrupted: an interruption takes effect at its end.
  const afterwards = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptible(Effect.tap(effect, () => Effect.sync(committed)));
  return Layer.succeedContext(
    stores.pipe(
      Context.add(Transaction, { run: (effect) => afterwards(transaction.run(effect)) }),
      Context.add(CreationRecords, { ...records, take: (record, free) => afterwards(records.take(record, free)) }),
    ),
  );
});

describe("a client that disconnects", () => {
  it.effect.each(Object.entries(CREATIONS))(
    "at any commit of its %s, and repeats the request a second later, gets the result [S2.6-9]",
    ([operation, json]) =>
      Effect.gen(function* () {
        let commits = 0;
        let disconnect: (commit: number) => void = () => {};
        const world = yield* harnessWithStores(yield* storesWith(() => disconnect(++commits)));
        const token = (yield* signIn(world)).body.token as string;
        // The first listing of the folders commits, later ones do not.
        yield* call(world, "GET", "/api/folders", { token });
        const [method, path] = operation.split(" ") as [string, string];
        let isReached = true;
        let disconnected = 0;
        for (let nth = 1; isReached; nth++) {
          const key = { "idempotency-key": `key ${nth}` };
          const body = "name" in json ? { ...json, name: `Bills ${nth}` } : json;
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...key };
          const client = new AbortController();
          const { signal } = client;
          isReached = false;
          commits = 0;
          disconnect = (commit) => {
            if (commit !== nth) return;
            isReached = true;
            client.abort();
          };
          const request = new Request(new URL(path, HARNESS_URL), {
            method,
            headers,
            body: JSON.stringify(body),
            signal,
          });
          const answer = yield* Fiber.join(yield* Effect.forkChild(world.request(request)));
          if (isReached && answer.status === 499) disconnected++;
          disconnect = () => {};
          yield* TestClock.adjust("1 second");
          const repeated = yield* call(world, method, path, { token, json: body, headers: key });
          expect([nth, repeated.status, repeated.body.code]).toEqual([nth, 200, undefined]);
        }
        expect(disconnected).toBeGreaterThan(0);
      }).pipe(Effect.scoped),
  );

  it.effect("at the commit of an answer: the original is marked as answered", () =>
    Effect.gen(function* () {
      let committed = () => {};
      const world = yield* harnessWithStores(yield* storesWith(() => committed()));
      const token = (yield* signIn(world)).body.token as string;
      const original = "Message-ID: <plans@x>\r\nFrom: Friend <friend@postern.test>\r\nSubject: Plans\r\n\r\nHi";
      world.mail
        .account(DEMO)
        .mailbox("INBOX")
        .append(Buffer.from(original), Date.UTC(2026, 0, 1));
      const { emails } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body;
      const client = new AbortController();
      const request = new Request(new URL("/api/send", HARNESS_URL), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ ...CREATIONS["POST /api/send"], replyToMessageId: emails[0].id }),
        signal: client.signal,
      });
      committed = () => client.abort();
      expect((yield* world.request(request)).status).toBe(499);
      committed = () => {};
      yield* TestClock.adjust("1 second");
      const { data } = (yield* call(world, "GET", `/api/messages/${emails[0].id}`, { token })).body;
      expect(data).toMatchObject({ answered: true });
    }).pipe(Effect.scoped),
  );

  it.effect(
    "at the commit of the removal of an endpoint leaves no credential that only the endpoint needed [S3.7-6]",
    () =>
      Effect.gen(function* () {
        let committed = () => {};
        const adapters = yield* Layer.build(adaptersInMemory);
        const vault = Context.get(adapters, CredentialVault);
        const run: Transaction["Service"]["run"] = (effect) =>
          Effect.uninterruptible(
            Effect.tap(Context.get(adapters, Transaction).run(effect), () => Effect.sync(() => committed())),
          );
        const useCases = yield* Layer.build(
          Layer.provide(UseCases, Layer.succeedContext(Context.add(adapters, Transaction, { run }))),
        );
        yield* vault.keep(DEMO, { _tag: "Password", username: DEMO, password: Redacted.make("demo") });
        const endpoints = Context.get(useCases, WebhookEndpoints);
        const made = yield* endpoints.create(ownedBy(DEMO), { url: "https://hooks.test/", events: ["email.sent"] });
        const removal = yield* Effect.forkChild(endpoints.remove(ownedBy(DEMO), made.endpoint.id));
        committed = () => removal.interruptUnsafe();
        expect(Exit.hasInterrupts(yield* Fiber.await(removal))).toBe(true);
        expect((yield* endpoints.page(ownedBy(DEMO), {})).items).toEqual([]);
        expect(yield* vault.find(DEMO)).toEqual(Option.none());
      }).pipe(Effect.scoped),
  );
});
