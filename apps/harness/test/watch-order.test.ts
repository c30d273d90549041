import { assert, it } from "@effect/vitest";
import { UseCases, workers } from "@postern/core";
import { AccountDirectory, newAccount } from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import { AccountId } from "@postern/core/shared";
import { AccountWatches, InboxWatch, type WatchKind } from "@postern/core/watch";
import { adaptersInMemory } from "@postern/harness";
import { Context, Effect, Layer } from "effect";

/** More than are opened at once. */
const WAITING = 40;

const serverAt = (host: string): MailServer => ({ host, port: 993, tls: "implicit", origin: "account" });

it.live("first watches that wait for their host delay neither other hosts nor watches that continue", () =>
  Effect.gen(function* () {
    const opened: Array<readonly [AccountId, WatchKind]> = [];
    const waiting = Layer.succeed(InboxWatch, {
      open: (account, kind) =>
        Effect.andThen(
          Effect.sync(() => opened.push([account, kind])),
          Effect.never,
        ),
      readPresent: () => Effect.never,
    });
    const adapters = yield* Layer.build(Layer.merge(adaptersInMemory, waiting));
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(adapters)));
    const { add, claim, leave } = yield* Effect.provideContext(AccountWatches, adapters);
    const { insert } = yield* Effect.provideContext(AccountDirectory, adapters);
    const watch = Effect.fnUntraced(function* (name: string, host: string) {
      const account = AccountId(name);
      const server = serverAt(host);
      yield* insert({ ...newAccount(account, 0), managed: true, servers: { imap: server, smtp: server } });
      yield* add(account, 8e12);
      return account;
    });

    const continued = yield* watch("z@busy.test", "imap.busy.test");
    yield* claim(0, { token: "crashed", until: 1 }, 1);
    yield* leave("crashed");
    for (let n = 0; n < WAITING; n++) yield* watch(`a${n}@busy.test`, "imap.busy.test");
    const elsewhere = yield* watch("z@idle.test", "imap.idle.test");

    for (const { runDue } of yield* Effect.provideContext(workers, Context.merge(adapters, useCases)))
      yield* Effect.orDie(runDue);
    for (let n = 0; n < 100 && opened.length < 18; n++) yield* Effect.sleep("10 millis");
    assert.strictEqual(opened.length, 16 + 2);
    assert.deepInclude(opened, [continued, "watch"]);
    assert.deepInclude(opened, [elsewhere, "first watch"]);
  }).pipe(Effect.scoped),
);

it.live("a node renews its leases before it asks the database for anything else", () =>
  Effect.gen(function* () {
    const adapters = yield* Layer.build(adaptersInMemory);
    const watches = Context.get(adapters, AccountWatches);
    let renewed = false;
    const busy = AccountWatches.of({
      ...watches,
      beat: () => Effect.never,
      findEnding: () => Effect.never,
      claim: () => Effect.never,
      renew: (lease) => Effect.tap(watches.renew(lease), () => Effect.sync(() => (renewed = true))),
    });
    const ports = Context.add(adapters, AccountWatches, busy);
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(ports)));
    for (const { runDue } of yield* Effect.provideContext(workers, Context.merge(ports, useCases)))
      yield* Effect.forkScoped(runDue);
    for (let n = 0; n < 100 && !renewed; n++) yield* Effect.sleep("10 millis");
    assert.isTrue(renewed);
  }).pipe(Effect.scoped),
);
