import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { begin, MAIL } from "./send-world.ts";

const live = (name: string, test: Effect.Effect<void, unknown, never>) => it.live(name, () => test, 30_000);

describe("a message", () => {
  live(
    "outlasts 30 hours without the mail server: it is tried on its own ladder, and sent once",
    Effect.gen(function* () {
      const { world, send, eventTypes, outbox } = yield* begin;
      world.smtp.isUp = false;
      const answer = yield* send(MAIL);
      expect([answer.status, answer.body.status]).toEqual([200, "queued"]);
      for (const [n, wait] of [60, 300, 900, 1_800, 3_600, 7_200, 7_200].entries()) {
        expect((yield* outbox)[0]).toMatchObject({ state: "queued", attempts: n + 1 });
        yield* world.pass(wait * 1000 - 1);
        expect((yield* outbox)[0].attempts).toBe(n + 1);
        yield* world.pass(1);
      }
      yield* world.pass("25 hours");
      expect((yield* outbox)[0]).toMatchObject({ state: "queued", failure: { reason: "unreachable" } });
      world.smtp.isUp = true;
      yield* world.pass("2 hours");
      expect((yield* outbox)[0]).toMatchObject({ state: "sent" });
      expect(yield* eventTypes).toEqual(["email.sent"]);
    }).pipe(Effect.scoped),
  );

  live(
    "fails 4 days after its request with one event",
    Effect.gen(function* () {
      const { world, send, eventTypes, outbox } = yield* begin;
      world.smtp.isUp = false;
      yield* send(MAIL);
      yield* world.pass(4 * 86_400_000 - 1);
      expect([(yield* outbox)[0].state, yield* eventTypes]).toEqual(["queued", []]);
      yield* world.pass(1);
      expect((yield* outbox)[0]).toMatchObject({ state: "failed", failure: { reason: "unreachable" } });
      expect(yield* eventTypes).toEqual(["email.failed"]);
    }).pipe(Effect.scoped),
  );
});
