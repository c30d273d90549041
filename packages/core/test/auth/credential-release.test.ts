import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { AccountSessions, CredentialRelease, CredentialVault, KeyAuthentication } from "../../src/auth/index.ts";
import { auth, LoginThrottle } from "../../src/auth/neighbours.ts";
import { EventLedger, EventPublisher, EventSubscribers } from "../../src/events/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { noTransaction, numberedIds, readableHashes, readableIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@postern.test");

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Domains that need credentials, and one that never does. Records which domains were asked, and the published events. */
const world = (needs: Readonly<Record<string, ReadonlySet<AccountId>>>, isKept = true) => {
  const asked: Array<string> = [];
  const events: Array<unknown> = [];
  /** The accounts whose credentials are stored, as far as the sweep lists them. */
  const stored: Array<AccountId> = [];
  const layer = CredentialRelease.layer.pipe(
    Layer.provideMerge(
      Layer.mock(CredentialVault, {
        eraseUnless: (_, inUse) => Effect.map(inUse, (isUsed) => isKept && !isUsed),
        listUnmanaged: (after, limit) =>
          Effect.sync(() => stored.filter((account) => after === null || account > after).slice(0, limit)),
      }),
    ),
    Layer.provide([
      Layer.succeed(AllAccountData, [
        { name: "none" },
        ...Object.entries(needs).map(([name, accounts]) => ({
          name,
          needsCredential: (account: AccountId, now: number) =>
            Effect.sync(() => (asked.push(name), now === NOW && accounts.has(account))),
        })),
      ]),
      EventPublisher.layer.pipe(
        Layer.provide([
          Layer.succeed(EventSubscribers, []),
          Layer.mock(EventLedger, {
            append: (published) =>
              Effect.sync(() => {
                for (const { id, type, account, body } of published)
                  events.push({ id, type, account, ...JSON.parse(new TextDecoder().decode(body)) });
                return [];
              }),
          }),
          numberedIds,
          readableIds,
        ]),
      ),
      noTransaction,
      readableHashes,
      numberedIds,
      readableIds,
    ]),
  );
  const release = Effect.fnUntraced(function* (...accounts: ReadonlyArray<AccountId>) {
    yield* TestClock.setTime(NOW);
    const credentials = yield* CredentialRelease;
    for (const account of accounts) yield* credentials.release(account);
  });
  return { layer, release, asked, events, stored };
};

it.effect("a credential that no domain needs is erased, and account.auth_failed says so [S3.7-6]", () =>
  Effect.gen(function* () {
    const { layer, release, events } = world({ auth: new Set(), send: new Set() });
    yield* Effect.provide(release(ME), layer);
    assert.strictEqual(events.length, 1);
    const [event] = events as ReadonlyArray<any>;
    assert.strictEqual(event.event, "account.auth_failed");
    assert.deepStrictEqual(event.account, { id: `acc_${ME}`, email: ME });
    assert.deepStrictEqual([event.data.email, event.data.reason.code], [ME, "signed_out"]);
    assert.strictEqual(event.timestamp, new Date(NOW).toISOString());
  }),
);

it.effect.each<readonly [string, Readonly<Record<string, ReadonlySet<AccountId>>>, boolean]>([
  ["the first domain still needs it", { auth: new Set([ME]), send: new Set() }, true],
  ["another domain still needs it", { auth: new Set(), send: new Set([ME]) }, true],
  ["it was erased before", { auth: new Set(), send: new Set() }, false],
])("publishes nothing of a credential where %s [S3.7-5]", ([, needs, isKept]) => {
  const { layer, release, events } = world(needs, isKept);
  return Effect.gen(function* () {
    yield* release(ME);
    assert.deepStrictEqual(events, []);
  }).pipe(Effect.provide(layer));
});

const otherSweeps = Layer.mergeAll(
  Layer.mock(AccountSessions, { sweep: Effect.void }),
  Layer.mock(LoginThrottle, { sweep: Effect.void }),
  Layer.mock(KeyAuthentication, { sweep: Effect.void }),
);

it.effect("a credential that no domain released, though none needs it, is erased by the sweep [S3.7-6]", () => {
  const all = Array.from({ length: 120 }, (_, n) => AccountId(`a${String(n).padStart(3, "0")}@postern.test`));
  const [unused, needed] = [all.slice(-2), all.slice(0, -2)];
  const { layer, events, stored } = world({ auth: new Set(needed), send: new Set() });
  stored.push(...all);
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    for (const sweep of yield* auth.sweeps) yield* sweep;
    assert.deepStrictEqual(
      (events as ReadonlyArray<any>).map(({ account, data }) => [account.email, data.reason.code]),
      unused.map((account) => [account, "signed_out"]),
    );
  }).pipe(Effect.provide(Layer.merge(layer, otherSweeps)));
});

it.effect("asks the domain first that needed the credential last, and the others if it no longer does", () => {
  const needs = { auth: new Set<AccountId>(), send: new Set([ME]), webhooks: new Set<AccountId>() };
  const { layer, release, asked, events } = world(needs);
  return Effect.gen(function* () {
    yield* release(ME);
    assert.deepStrictEqual(asked.splice(0), ["auth", "send"]);
    yield* release(ME);
    assert.deepStrictEqual(asked.splice(0), ["send"]);
    needs.send.delete(ME);
    needs.webhooks.add(ME);
    yield* release(ME);
    assert.deepStrictEqual(asked.splice(0), ["send", "auth", "webhooks"]);
    needs.webhooks.delete(ME);
    yield* release(ME);
    assert.deepStrictEqual(asked.splice(0), ["webhooks", "auth", "send", "auth", "send", "webhooks"]);
    assert.strictEqual(events.length, 1);
  }).pipe(Effect.provide(layer));
});

it.effect("remembers which domain needed it for a thousand accounts at most", () => {
  const many = Array.from({ length: 1000 }, (_, n) => AccountId(`a${n}@postern.test`));
  const { layer, release, asked } = world({ auth: new Set(), send: new Set([...many, ME]) });
  return Effect.gen(function* () {
    yield* release(...many.slice(1), many[0]!);
    asked.splice(0);
    yield* release(many[1]!);
    assert.deepStrictEqual(asked.splice(0), ["send"]);
    yield* release(ME, many[0]!);
    assert.deepStrictEqual(asked.splice(0), ["auth", "send", "auth", "send"]);
  }).pipe(Effect.provide(layer));
});
