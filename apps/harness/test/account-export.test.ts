import { it } from "@effect/vitest";
import { harness, type Harness, HARNESS_ADMIN_KEY, HARNESS_URL, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { signIn } from "./call.ts";
import { asKey, DEMO, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const OTHER = "friend@postern.test";
/** More than are read at a time. */
const MANY = 60;

interface Line {
  readonly type: string;
  readonly data: any;
}

const exported = Effect.fnUntraced(function* (world: Harness, token: string, account = DEMO) {
  const url = new URL(`/api/accounts/${account}/export`, HARNESS_URL);
  const { status, headers, text } = yield* Effect.flatMap(
    world.request(new Request(url, { headers: { authorization: `Bearer ${token}` } })),
    (response) =>
      Effect.promise(async () => ({ status: response.status, headers: response.headers, text: await response.text() })),
  );
  const lines =
    status === 200
      ? text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      : [];
  const of = (type: string) => lines.filter((line) => line.type === type).map(({ data }) => data);
  return { status, headers, text, lines, of };
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  it.live(`an export has every record of the account and no secret, in ${name} [S10.3-44] [S10.3-45]`, () =>
    Effect.gen(function* () {
      const world = yield* made as typeof harness;
      yield* signIn(world);
      const { id, key } = yield* makeKey(world, { application: "crm" });
      const ask = (method: string, path: string, json?: object, account = DEMO) =>
        Effect.map(
          asKey(world, key, method, path, { account, ...(json === undefined ? {} : { json }) }),
          ({ status, body }) => {
            expect([path, status]).toEqual([path, 200]);
            return body;
          },
        );
      yield* ask("POST", "/api/accounts", { email: OTHER, password: "demo" });
      const send = (subject: string, account = DEMO) =>
        ask("POST", "/api/send", { to: "someone@example.org", subject, text: "Private words" }, account);
      yield* send("of the other", OTHER);
      for (let n = 0; n < MANY; n++) {
        if (n % 10 === 0) yield* world.pass("1 minute");
        yield* send(`number ${n}`);
      }
      yield* ask("POST", "/api/identities", { name: "Sales", address: "sales@postern.test" });
      const endpoint = { url: "https://hook.test/ann", events: ["email.sent"] };
      const { data: hook } = yield* ask("POST", "/api/settings/webhooks", endpoint);

      const { headers, text, lines, of } = yield* exported(world, key);
      expect(headers.get("content-type")).toBe("application/x-ndjson");
      expect([...new Set(lines.map(({ type }) => type))]).toEqual([
        "account",
        "session",
        "identity",
        "endpoint",
        "outbox",
        "event",
        "audit",
      ]);
      for (const [type, path] of [
        ["account", `/api/accounts?query=${DEMO}`],
        ["identity", "/api/identities"],
        ["endpoint", "/api/settings/webhooks"],
      ] as const) {
        const { data } = yield* ask("GET", path);
        expect(of(type)).toEqual([data].flat());
      }
      const subjects = of("outbox").map(({ subject }) => subject);
      expect(new Set(subjects)).toEqual(new Set(Array.from({ length: MANY }, (_, n) => `number ${n}`)));
      expect(subjects).toHaveLength(MANY);
      expect(of("event").filter(({ event }) => event === "email.sent").length).toBe(MANY);
      expect(of("audit").filter(({ operation }) => operation === "send.send").length).toBe(MANY);
      expect(of("audit")[0]).toMatchObject({ key: id, createdAt: expect.stringMatching(/Z$/) });
      expect(of("session")).toEqual([expect.objectContaining({ email: DEMO, current: false })]);
      for (const hidden of [key, hook.secret, "Private words", OTHER, "of the other", '"demo"', '"owner"']) {
        expect(text).not.toContain(hidden);
      }
    }).pipe(Effect.scoped),
  );
}

describe("an export of an account", () => {
  it.live("needs accounts:write, and the account within reach [S10.3-46]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const reader = yield* makeKey(world, { scopes: ["accounts:read", "mail:read"] });
      const other = yield* makeKey(world, { accounts: ["*@elsewhere.test"] });
      expect((yield* exported(world, reader.key)).status).toBe(403);
      expect((yield* exported(world, other.key)).status).toBe(404);
      expect((yield* exported(world, HARNESS_ADMIN_KEY, "nobody@postern.test")).status).toBe(404);
      expect((yield* exported(world, HARNESS_ADMIN_KEY)).of("account")).toHaveLength(1);
    }).pipe(Effect.scoped),
  );
});
