import { assert, it } from "@effect/vitest";
import { UseCases, workers } from "@postern/core";
import { AccountId, Transaction } from "@postern/core/shared";
import { AccountWatches, InboxWatch, type WatchedInbox } from "@postern/core/watch";
import { adaptersInMemory } from "@postern/harness";
import { Context, Effect, Layer } from "effect";

const ACCOUNTS = 40;

/** An INBOX that reports its cursor and no messages. */
const EMPTY: WatchedInbox = {
  poll: () =>
    Effect.succeed({
      cursor: { uidValidity: 1, uidNext: 1, highestModSeq: null },
      arrived: [],
      vanished: [],
      flags: [],
    }),
  below: () => Effect.never,
  describe: () => Effect.succeed([]),
  changed: Effect.never,
  folders: () => Effect.never,
  announceAll: Effect.succeed(false),
  standings: () => Effect.never,
  mailbox: () => EMPTY,
};

it.live("mail for many accounts at once leaves connections to the database for the heartbeat of the node", () =>
  Effect.gen(function* () {
    const inboxes = Layer.succeed(InboxWatch, { open: () => Effect.succeed(EMPTY), readPresent: () => Effect.never });
    const adapters = yield* Layer.build(Layer.merge(adaptersInMemory, inboxes));
    const { run } = Context.get(adapters, Transaction);
    let [open, most, done] = [0, 0, 0];
    const slow = Transaction.of({
      run: (effect) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void (most = Math.max(most, ++open))),
          () => Effect.delay(run(effect), "5 millis"),
          () => Effect.sync(() => void (open--, done++)),
        ),
    });
    const counted = Context.add(adapters, Transaction, slow);
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(counted)));
    const { add } = Context.get(adapters, AccountWatches);
    for (let n = 0; n < ACCOUNTS; n++) yield* add(AccountId(`a${n}@x.test`), 8e12);

    for (const { runDue } of yield* Effect.provideContext(workers, Context.merge(counted, useCases)))
      yield* Effect.orDie(runDue);
    for (let n = 0; n < 200 && done < ACCOUNTS; n++) yield* Effect.sleep("10 millis");
    assert.isAtLeast(done, ACCOUNTS);
    assert.isAtMost(most, 6);
    assert.isAbove(most, 1);
  }).pipe(Effect.scoped),
);
