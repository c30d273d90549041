import { assert, layer } from "@effect/vitest";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Clock, Context, Effect, Fiber, Layer } from "effect";
import { sql } from "kysely";
import { Database } from "../src/index.ts";
import { onPostgres } from "./databases.ts";

/** Well below the 5 seconds after which a process checks without a wake-up. */
const SOON = "4 seconds";

describeWithPostgres("wake-ups on PostgreSQL", () => {
  layer(Postgres.own, { excludeTestServices: true })("two processes", (it) => {
    const twoProcesses = Effect.gen(function* () {
      const url = yield* (yield* Postgres).newDatabase;
      const open = Effect.map(Layer.build(onPostgres(url)), (context) => Context.get(context, Database));
      return { one: yield* open, other: yield* open };
    });
    const listeners = ({ query }: Database["Service"]) =>
      query((db) =>
        sql<{ n: number }>`select count(*) as n from pg_stat_activity
          where datname = current_database() and query like 'listen%'`.execute(db),
      ).pipe(
        Effect.map(({ rows }) => rows[0]!.n),
        Effect.orElseSucceed(() => 0),
      );
    const bothListening = (database: Database["Service"]) =>
      listeners(database).pipe(Effect.delay("50 millis"), Effect.repeat({ until: (n) => n === 2 }));
    const inTime = <A>(effect: Effect.Effect<A>) =>
      Effect.timeoutOrElse(effect, { duration: SOON, orElse: () => Effect.die(new Error("no wake-up arrived")) });

    it.effect("a wake-up arrives in the other process under its name", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const [mail, notices] = [other.wakeUp("mail"), other.wakeUp("notices")];
        yield* bothListening(one);
        yield* Effect.all([mail.changed, notices.changed]);
        const wrong = yield* Effect.forkChild(notices.changed);
        yield* one.wakeUp("mail").wake(yield* Clock.currentTimeMillis);
        yield* inTime(mail.changed);
        assert.isUndefined(wrong.pollUnsafe());
        yield* Fiber.interrupt(wrong);
      }),
    );

    it.effect("a wake-up arrives after its transaction has committed, and not after a rollback", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.changed;
        const wake = Effect.flatMap(Clock.currentTimeMillis, one.wakeUp("mail").wake);
        const waiting = yield* Effect.forkChild(mail.changed);
        yield* one.transaction(
          Effect.gen(function* () {
            yield* wake;
            yield* Effect.sleep("500 millis");
            assert.isUndefined(waiting.pollUnsafe());
          }),
        );
        yield* inTime(Fiber.join(waiting));
        const asleep = yield* Effect.forkChild(mail.changed);
        yield* Effect.exit(one.transaction(Effect.andThen(wake, Effect.fail("undone"))));
        yield* Effect.sleep("500 millis");
        assert.isUndefined(asleep.pollUnsafe());
        yield* Fiber.interrupt(asleep);
      }),
    );

    it.effect("a due time after their next check wakes no other process", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.changed;
        const waiting = yield* Effect.forkChild(mail.changed);
        yield* one.wakeUp("mail").wake((yield* Clock.currentTimeMillis) + 60_000);
        yield* inTime(one.wakeUp("mail").changed);
        yield* Effect.sleep("500 millis");
        assert.isUndefined(waiting.pollUnsafe());
        yield* Fiber.interrupt(waiting);
      }),
    );

    it.effect("after a server outage the processes listen again and check once", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const server = yield* Postgres;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.changed;
        yield* server.stop("immediate");
        yield* server.start;
        yield* inTime(mail.changed);
        yield* bothListening(one);
        yield* one.wakeUp("mail").wake(yield* Clock.currentTimeMillis);
        yield* inTime(mail.changed);
      }),
    );
  });
});
