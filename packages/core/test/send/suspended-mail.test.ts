import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import type { SendingKey } from "../../src/send/index.ts";
import { hold } from "../../src/send/outgoing/holds.ts";
import { NOW, sendingIn, SendingWorld } from "./sending-in-memory.ts";
import { ME } from "./sending-server.ts";

const KEY: SendingKey = { kind: "key", id: "k1", name: "K", application: "app", sendPerDay: 2, policy: null };

const waitingMessage = Effect.fnUntraced(function* () {
  const world = new SendingWorld();
  const sending = yield* sendingIn(world);
  world.outcome = { _tag: "HostLimited" };
  yield* sending.send({}, undefined, KEY);
  world.outcome = undefined;
  return { world, ...sending };
});

describe("a message whose application is resumed while a process works on it", () => {
  it.effect("is not held by an attempt that read the suspension before [S10.2-30]", () =>
    Effect.gen(function* () {
      const { world, workAt } = yield* waitingMessage();
      world.suspendedReads = 1;
      expect(yield* workAt(NOW + 60_000)).toBe("queued");
      expect(world.message.heldBy).toBeUndefined();
      expect(yield* workAt(NOW + 60_000)).toBe("sent");
    }).pipe(Effect.scoped),
  );

  it.effect("is released by the request that claimed it, although the request may not release it", () =>
    Effect.gen(function* () {
      const { world, outbox } = yield* waitingMessage();
      world.rows.get(world.message.id)!.message = hold(world.message, NOW, "suspension");
      const refused = yield* Effect.flip(outbox(({ release }) => release(ME, world.message.id, null)));
      expect(refused).toMatchObject({ _tag: "OutgoingNotReleasable" });
      expect(world.message.heldSince).toBeUndefined();
    }).pipe(Effect.scoped),
  );

  it.effect("stays held as long as the application is suspended [S10.2-27]", () =>
    Effect.gen(function* () {
      const { world, workAt, outbox } = yield* waitingMessage();
      world.suspendedReads = Infinity;
      expect(yield* workAt(NOW + 60_000)).toBe("held");
      yield* Effect.flip(outbox(({ release }) => release(ME, world.message.id, null)));
      expect(world.message).toMatchObject({ heldBy: "suspension", heldSince: NOW + 60_000 });
    }).pipe(Effect.scoped),
  );

  it.effect("stays held after its key was deleted, which does not resume the application [S10.2-27]", () =>
    Effect.gen(function* () {
      const { world, outbox } = yield* waitingMessage();
      world.rows.get(world.message.id)!.message = hold(world.message, NOW, "suspension");
      world.serviceKeys.delete("k1");
      yield* Effect.flip(outbox(({ release }) => release(ME, world.message.id, null)));
      expect(world.message).toMatchObject({ heldBy: "suspension", heldSince: NOW });
    }).pipe(Effect.scoped),
  );
});
