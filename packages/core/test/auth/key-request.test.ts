import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { keyChangesOf, keyRequestOf } from "../../src/auth/key-request.ts";
import { isNetwork } from "../../src/auth/network-text.ts";
import { OpaqueIds } from "../../src/shared/index.ts";
import { BARE_KEY, readableIds } from "../doubles.ts";

const NOW = Date.UTC(2026, 0, 1);
const read = (written: Partial<Parameters<typeof keyRequestOf>[0]>) =>
  Effect.flatMap(OpaqueIds, (ids) =>
    keyRequestOf({ name: BARE_KEY.name, scopes: ["mail:read"], ...written }, ids, NOW),
  ).pipe(Effect.provide(readableIds));
const faultsOf = (written: Parameters<typeof read>[0]) =>
  Effect.map(Effect.flip(read(written)), ({ errors }) => errors.map(({ field }) => field));

describe("the request for a key", () => {
  it.effect("has no limits unless it names them", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual(BARE_KEY);
      expect(yield* read({ scopes: ["mail:read", "mail:read"] })).toEqual(BARE_KEY);
      const limited = { application: "app", networks: ["192.0.2.0/24"], sendPerDay: 5, notify: "ops@x.test" };
      expect(yield* read({ ...limited, expiresAt: "2026-06-01T00:00:00Z" })).toEqual({
        ...BARE_KEY,
        ...limited,
        expiresAt: Date.UTC(2026, 5, 1),
      });
    }),
  );

  it.effect("may have a policy for sending, and is refused with wrong fields beside its accounts", () =>
    Effect.gen(function* () {
      const sendPolicy = { to: ["@x.test"], approval: "never" } as const;
      expect(yield* read({ sendPolicy })).toEqual({ ...BARE_KEY, sendPolicy });
      const wrong = { accounts: ["me@x.test"], networks: ["x"], expiresAt: "2026-01-01T00:00:00Z" };
      expect(yield* faultsOf(wrong)).toEqual(["accounts.0", "networks.0", "expiresAt"]);
    }),
  );

  it.effect("reaches accounts by their ids, domains and tags, each once", () =>
    Effect.gen(function* () {
      const accounts = ["acc_me@x.test", "*@Bücher.example", "tag:vip", "tag:vip", "*@xn--bcher-kva.example"];
      expect((yield* read({ accounts })).accounts).toEqual(["me@x.test", "*@xn--bcher-kva.example", "tag:vip"]);
    }),
  );

  it.effect("is refused with every fault of its accounts", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ accounts: ["acc_me@x.test", "me@x.test", "tag:", "*@", "x tag:y"] })).toEqual([
        "accounts.1",
        "accounts.2",
        "accounts.3",
        "accounts.4",
      ]);
    }),
  );
});

describe("the changes of a key", () => {
  const changes = (written: Parameters<typeof keyChangesOf>[0]) =>
    Effect.flatMap(OpaqueIds, (ids) => keyChangesOf(written, ids)).pipe(Effect.provide(readableIds));

  it.effect("are the fields that the request names, read as for a new key [S10.2-24]", () =>
    Effect.gen(function* () {
      expect(yield* changes({})).toEqual({});
      const limits = { name: "Other", networks: ["192.0.2.0/24"], sendPerDay: 5, notify: "ops@x.test" };
      const written = {
        ...limits,
        scopes: ["mail:read", "events", "mail:read"] as const,
        accounts: ["acc_me@x.test", "tag:vip", "tag:vip"],
        expiresAt: "2026-06-01T00:00:00Z",
      };
      expect(yield* changes(written)).toEqual({
        ...limits,
        scopes: ["mail:read", "events"],
        accounts: ["me@x.test", "tag:vip"],
        expiresAt: Date.UTC(2026, 5, 1),
      });
    }),
  );

  it.effect("remove the limits that are null [S10.2-24]", () =>
    Effect.gen(function* () {
      const none = {
        accounts: null,
        networks: null,
        expiresAt: null,
        sendPerDay: null,
        sendPolicy: null,
        notify: null,
      };
      expect(yield* changes(none)).toEqual(none);
    }),
  );

  it.effect("are refused with the wrong fields", () =>
    Effect.gen(function* () {
      const faults = (written: Parameters<typeof changes>[0]) =>
        Effect.map(Effect.flip(changes(written)), ({ errors }) => errors.map(({ field }) => field));
      expect(yield* faults({ accounts: ["tag:x", "me@x.test"] })).toEqual(["accounts.1"]);
      expect(yield* faults({ name: "", sendPerDay: 0, expiresAt: "soon" })).toEqual([
        "name",
        "expiresAt",
        "sendPerDay",
      ]);
    }),
  );
});

it.effect.each([
  ["192.0.2.1", true],
  ["0.0.0.0", true],
  ["255.255.255.255", true],
  ["256.0.0.1", false],
  ["01.0.0.1", false],
  ["192.0.2", false],
  ["192.0.2.1.5", false],
  ["192.0.2.1.", false],
  ["192.0.2.1:8080", true],
  ["::1", true],
  ["[::1]", true],
  ["[::1]:80", true],
  ["fe80::1%eth0", true],
  ["::g", false],
  ["192.0.2.0/0", true],
  ["192.0.2.0/32", true],
  ["192.0.2.0/33", false],
  ["0x7f.1/8", true],
  ["0x7f.1", false],
  ["1.2.3.4.5/8", false],
  ["999.1.1.1/8", false],
  ["2001:db8::/128", true],
  ["2001:db8::/129", false],
  ["2001:db8::/x", false],
  ["host.test", false],
  ["host.test/8", false],
  ["", false],
] as const)("%s is an address or a block of them: %s", ([text, isOne]) =>
  Effect.sync(() => expect(isNetwork(text)).toBe(isOne)),
);
