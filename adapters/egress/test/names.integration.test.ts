import { assert, describe, it } from "@effect/vitest";
import { EgressGuard } from "@postern/core/shared";
import { dnsServer } from "@postern/testkit";
import { Effect } from "effect";
import { type EgressOptions, layer } from "../src/index.ts";

const world = (options: EgressOptions = {}) =>
  Effect.gen(function* () {
    const dns = yield* dnsServer;
    const guard = yield* Effect.provide(EgressGuard, layer({ nameServers: [dns.address], ...options }));
    return { dns, resolve: (host: string) => guard.resolve(host, 443) };
  });

describe("a host name", () => {
  it.live.each([
    ["that does not exist", undefined, "nxdomain"],
    ["without an address", [], "nxdomain"],
    ["whose server fails", "servfail", "servfail"],
    ["whose server is silent", "dns_timeout", "dns_timeout"],
  ] as const)("%s", ([, answer, reason]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, resolve } = yield* world({ timeout: "700 millis" });
        if (answer !== undefined) dns.names.set("hooks.test", answer);
        assert.deepInclude(yield* Effect.flip(resolve("hooks.test")), { _tag: "HostUnresolved", reason });
      }),
    ),
  );

  it.live("with any number of addresses resolves to some of them [S10.4-11]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, resolve } = yield* world({ allowedNetworks: ["127.0.0.0/8"] });
        dns.names.set(
          "many.test",
          Array.from({ length: 60 }, (_, n) => `127.0.0.${n + 1}`),
        );
        assert.lengthOf(yield* resolve("many.test"), 16);
      }),
    ),
  );

  it.live("that hangs in DNS delays no other lookup", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, resolve } = yield* world({ allowedNetworks: ["127.0.0.0/8"] });
        dns.names.set("good.test", ["127.0.0.1"]);
        const names = Array.from({ length: 50 }, (_, n) => `hung${n}.test`);
        for (const name of names) dns.names.set(name, "dns_timeout");
        const hung = yield* Effect.forkChild(Effect.forEach(names, resolve, { concurrency: "unbounded" }));
        yield* Effect.sleep("50 millis");
        assert.lengthOf(yield* resolve("good.test"), 1);
        assert.isUndefined(hung.pollUnsafe(), "the others still wait");
      }),
    ),
  );
});
