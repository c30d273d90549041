import { assert, layer } from "@effect/vitest";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Clock, Context, Effect, Fiber, Layer } from "effect";
import { sql } from "kysely";
import { Database } from "../src/index.ts";
import { onPostgres } from "./databases.ts";

/** Well below the 5 seconds after which a process looks by itself. */
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
      Effect.timeoutOrElse(effect, { duration: SOON, orElse: () => Effect.die(new Error("nobody was woken")) });

    it.effect("a ring is heard in the other process, under its own name", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const [mail, notices] = [other.wakeUp("mail"), other.wakeUp("notices")];
        yield* bothListening(one);
        yield* Effect.all([mail.rung, notices.rung]);
        const wrong = yield* Effect.forkChild(notices.rung);
        yield* one.wakeUp("mail").ring(yield* Clock.currentTimeMillis);
        yield* inTime(mail.rung);
        assert.isUndefined(wrong.pollUnsafe());
        yield* Fiber.interrupt(wrong);
      }),
    );

    it.effect("a ring is heard once its transaction has committed, and not at all where it is undone", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.rung;
        const ring = Effect.flatMap(Clock.currentTimeMillis, one.wakeUp("mail").ring);
        const rung = yield* Effect.forkChild(mail.rung);
        yield* one.transaction(
          Effect.gen(function* () {
            yield* ring;
            yield* Effect.sleep("500 millis");
            assert.isUndefined(rung.pollUnsafe());
          }),
        );
        yield* inTime(Fiber.join(rung));
        const unrung = yield* Effect.forkChild(mail.rung);
        yield* Effect.exit(one.transaction(Effect.andThen(ring, Effect.fail("undone"))));
        yield* Effect.sleep("500 millis");
        assert.isUndefined(unrung.pollUnsafe());
        yield* Fiber.interrupt(unrung);
      }),
    );

    it.effect("what is due later than they look anyway wakes nobody elsewhere", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.rung;
        const rung = yield* Effect.forkChild(mail.rung);
        yield* one.wakeUp("mail").ring((yield* Clock.currentTimeMillis) + 60_000);
        yield* inTime(one.wakeUp("mail").rung);
        yield* Effect.sleep("500 millis");
        assert.isUndefined(rung.pollUnsafe());
        yield* Fiber.interrupt(rung);
      }),
    );

    it.effect("a server that was away is listened to again, and everybody looks once", () =>
      Effect.gen(function* () {
        const { one, other } = yield* twoProcesses;
        const server = yield* Postgres;
        const mail = other.wakeUp("mail");
        yield* bothListening(one);
        yield* mail.rung;
        yield* server.stop("immediate");
        yield* server.start;
        yield* inTime(mail.rung);
        yield* bothListening(one);
        yield* one.wakeUp("mail").ring(yield* Clock.currentTimeMillis);
        yield* inTime(mail.rung);
      }),
    );
  });
});
