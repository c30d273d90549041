import { assert, it } from "@effect/vitest";
import { type Account, AccountDirectory, newAccount } from "../src/accounts/index.ts";
import type { MailServer } from "../src/mail/index.ts";
import { AccountId } from "../src/shared/index.ts";
import { WatchStarter } from "../src/watch/neighbours.ts";
import { applicationWatches, startWatches, sweepWatches } from "../src/webhooks/endpoint-watches.ts";
import { Endpoints } from "../src/webhooks/index.ts";
import { Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";

const at = (host: string): MailServer => ({ host, port: 993, tls: "implicit", origin: "account" });

/** Managed accounts on a mail host, whose names begin with these letters. */
const accountsOn = (host: string, letters: string, count: number): ReadonlyArray<Account> =>
  Array.from({ length: count }, (_, n) => ({
    ...newAccount(AccountId(`${letters}${n}@${host}`), 0),
    managed: true,
    servers: { imap: at(host), smtp: at(host) },
  }));

const ACCOUNTS = [...accountsOn("silent.test", "a", 40), ...accountsOn("quick.test", "b", 20)];

/** The watches of an application's accounts on two hosts: one never admits a connection, the other admits it at once. */
const watchesInto = (begun: Array<AccountId>) =>
  Layer.mergeAll(
    Layer.mock(AccountDirectory, { list: (_, after) => Effect.succeed(after === null ? ACCOUNTS : []) }),
    Layer.mock(Endpoints, { listReachEntries: Effect.succeed(["*"]) }),
    Layer.mock(WatchStarter, {
      begin: (account) =>
        account.endsWith("@silent.test") ? Effect.never : Effect.sync(() => void begun.push(account)),
    }),
  );

it.effect("accounts of a mail host that refuses connections do not delay accounts of another host [S10.3-35]", () => {
  const begun: Array<AccountId> = [];
  return Effect.gen(function* () {
    const watches = yield* applicationWatches;
    const sweeping = yield* Effect.forkChild(sweepWatches(watches));
    yield* TestClock.adjust(0);
    assert.lengthOf(begun, 20);
    assert.isUndefined(sweeping.pollUnsafe());
    const beginning = yield* Effect.forkChild(startWatches(watches, yield* Effect.scope, null));
    yield* TestClock.adjust("10 seconds");
    assert.strictEqual(yield* Fiber.join(beginning), 40, "those that are not watched yet");
  }).pipe(Effect.provide(watchesInto(begun)));
});
