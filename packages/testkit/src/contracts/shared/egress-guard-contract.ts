import { assert, layer } from "@effect/vitest";
import { EgressGuard } from "@postern/core/shared";
import { Effect, type Layer, Result } from "effect";
import { DENIED_ADDRESSES, LOOPBACK_ADDRESSES } from "../../fixtures/denied-addresses.ts";
import { GuardedHosts, type HostAnswer } from "../../controls/GuardedHosts.ts";
import { PUBLIC_ADDRESSES } from "../../fixtures/scripted-guard.ts";

const PORTS = [143, 465, 587, 993];

const resolve = (host: string, port = 993) => Effect.flatMap(EgressGuard, (guard) => guard.resolve(host, port));

/** Returns the tag of a failure, or the addresses. */
const answerOf = Effect.fnUntraced(function* (host: string, port?: number) {
  const answer = yield* Effect.result(resolve(host, port));
  return Result.isFailure(answer) ? answer.failure._tag : answer.success.map(({ address }) => address);
});

const nameOf = (...answers: ReadonlyArray<HostAnswer>) =>
  Effect.flatMap(GuardedHosts, (hosts) => hosts.name(...answers));

/** The contract of `EgressGuard` (spec 7), with the rules that `GuardedHosts` names. */
export const egressGuardContract = <E>(name: string, ports: Layer.Layer<EgressGuard | GuardedHosts, E>): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("returns every public address of a name, and a public address itself", () =>
      Effect.gen(function* () {
        const [v4, v6] = PUBLIC_ADDRESSES;
        assert.deepStrictEqual(yield* resolve(yield* nameOf(PUBLIC_ADDRESSES)), [
          { address: v4, family: 4, allowed: false },
          { address: v6, family: 6, allowed: false },
        ]);
        assert.deepStrictEqual(yield* resolve(v6), [{ address: v6, family: 6, allowed: false }]);
      }),
    );

    it.effect(`denies ${DENIED_ADDRESSES.length} private and reserved addresses, given as such or by a name`, () =>
      Effect.gen(function* () {
        assert.isAtLeast(DENIED_ADDRESSES.length, 400);
        for (const address of DENIED_ADDRESSES) {
          assert.strictEqual(yield* answerOf(address), "AddressDenied", address);
        }
        for (const address of DENIED_ADDRESSES.filter((_, n) => n % 10 === 0)) {
          assert.strictEqual(yield* answerOf(yield* nameOf([address])), "AddressDenied", address);
        }
      }),
    );

    it.effect("denies a name with one denied address among public ones, in any order", () =>
      Effect.gen(function* () {
        for (const mixed of [
          [PUBLIC_ADDRESSES[0], "10.0.0.1"],
          ["10.0.0.1", PUBLIC_ADDRESSES[0]],
          [PUBLIC_ADDRESSES[0], "fe80::1"],
        ]) {
          assert.strictEqual(yield* answerOf(yield* nameOf(mixed)), "AddressDenied", mixed.join());
        }
      }),
    );

    it.effect("checks the addresses of each look-up", () =>
      Effect.gen(function* () {
        const rebinding = yield* nameOf([PUBLIC_ADDRESSES[0]], ["10.0.0.1"]);
        assert.deepStrictEqual(yield* answerOf(rebinding), [PUBLIC_ADDRESSES[0]]);
        assert.strictEqual(yield* answerOf(rebinding), "AddressDenied");
      }),
    );

    it.effect("allows public addresses only the listed ports", () =>
      Effect.gen(function* () {
        const name = yield* nameOf([PUBLIC_ADDRESSES[0]]);
        for (const port of PORTS) assert.deepStrictEqual(yield* answerOf(name, port), [PUBLIC_ADDRESSES[0]]);
        for (const port of [1, 22, 25, 80, 110, 443, 2525, 3306, 65_535]) {
          assert.strictEqual(yield* answerOf(name, port), "AddressDenied", String(port));
          assert.strictEqual(yield* answerOf(PUBLIC_ADDRESSES[0], port), "AddressDenied", String(port));
        }
      }),
    );

    it.effect("marks exempted addresses, and allows them every port", () =>
      Effect.gen(function* () {
        const checked = [{ address: "127.0.0.1", family: 4, allowed: true }] as const;
        assert.deepStrictEqual(yield* resolve(yield* nameOf(["127.0.0.1"]), 8143), checked);
        for (const address of LOOPBACK_ADDRESSES) {
          assert.deepStrictEqual(yield* resolve(address, 22), [{ address, family: 4, allowed: true }]);
        }
        assert.strictEqual(yield* answerOf("::ffff:127.0.0.1", 8143), "AddressDenied", "mapped");
        assert.strictEqual(yield* answerOf(yield* nameOf(["127.0.0.1", "10.0.0.1"])), "AddressDenied", "mixed");
      }),
    );

    it.effect("says why a name has no address", () =>
      Effect.gen(function* () {
        for (const reason of ["nxdomain", "servfail"] as const) {
          const failed = yield* Effect.flip(resolve(yield* nameOf(reason)));
          assert.deepInclude(failed, { _tag: "HostUnresolved", reason });
        }
        assert.strictEqual(yield* answerOf("missing.invalid"), "HostUnresolved");
      }),
    );

    it.effect("accepts no other spelling of an address", () =>
      Effect.gen(function* () {
        for (const host of [
          "",
          "[::1]",
          "127.1",
          "2130706433",
          "0x7f.0.0.1",
          "fe80::1%lo",
          "a b",
          "a\0b",
          "..",
          "①②⑦.1",
        ]) {
          assert.match(String(yield* answerOf(host)), /^(AddressDenied|HostUnresolved)$/, JSON.stringify(host));
        }
      }),
    );
  });
