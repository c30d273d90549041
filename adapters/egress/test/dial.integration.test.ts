import { type AddressInfo, createServer } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import type { CheckedAddress } from "@postern/core/shared";
import { Effect } from "effect";
import { dial, fixedLookup } from "../src/dial.ts";

const checked = (address: string): CheckedAddress => ({ address, family: 4, allowed: true });

/** Listens only on 127.0.0.2; returns the port. */
const listening = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((socket) => socket.on("error", () => {}).resume()).listen(0, "127.0.0.2", () =>
      resume(Effect.succeed(server)),
    );
  }),
  (server) => Effect.sync(() => server.close()),
);

describe("dial", () => {
  it.live("connects to the first checked address that accepts", () =>
    Effect.gen(function* () {
      const { port } = (yield* listening).address() as AddressInfo;
      const socket = yield* dial([checked("127.0.0.3"), checked("127.0.0.2")], port, 5_000);
      assert.strictEqual(socket.remoteAddress, "127.0.0.2");
      socket.destroy();
    }).pipe(Effect.scoped),
  );

  it.live("fails if no checked address accepts", () =>
    Effect.gen(function* () {
      const { port } = (yield* listening).address() as AddressInfo;
      const error = yield* Effect.flip(dial([checked("127.0.0.3")], port, 5_000));
      assert.strictEqual(error.code, "ECONNREFUSED");
    }).pipe(Effect.scoped),
  );
});

it("a checked lookup answers every name with the checked addresses, and fails without any", () => {
  const answerOf = (addresses: ReadonlyArray<CheckedAddress>, all: boolean) => {
    let answer: ReadonlyArray<unknown> = [];
    fixedLookup(addresses)("any.test", { all }, (...found) => void (answer = found));
    return answer;
  };
  const both = [checked("192.0.2.1"), checked("192.0.2.2")];
  assert.deepStrictEqual(answerOf(both, true), [null, both]);
  assert.deepStrictEqual(answerOf(both, false), [null, "192.0.2.1", 4]);
  assert.instanceOf(answerOf([], true)[0], Error);
});
