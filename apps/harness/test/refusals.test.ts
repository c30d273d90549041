import { it } from "@effect/vitest";
import { type Harness, harness, HARNESS_ADMIN_KEY } from "@postern/harness";
import { answerOf } from "@postern/http-api";
import { Effect, Exit, Option } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { makeKey } from "./key-world.ts";
import { type Field, type Operation, operations } from "./refusals/operations.ts";
import { type Given, USE_CASES } from "./refusals/use-cases.ts";
import { wrongValues } from "./refusals/wrong-values.ts";

/** Fields that only HTTP has a form for, and why. */
const SHAPES: Readonly<Record<string, (field: Field) => boolean>> = {
  "one of several words is a union of literals in the core": ({ schema }) => schema.enum !== undefined,
  "If-Match is a predicate in the core": ({ place, path }) => place === "header" && path[0] === "if-match",
  "a range of bytes and its condition are of HTTP": ({ place, path }) =>
    place === "header" && String(path[0]).endsWith("range"),
};

/** Operations with input of which none is refused for what it says, and why. */
const NEVER_REFUSED: Readonly<Record<string, string>> = {
  "DELETE /api/auth/sessions/{id}": "any text may name a session, which is not found",
  "DELETE /api/settings/folders/{id}": "any text may name a folder, which is not found",
  "PATCH /api/account": "takes one of two words",
};

/** Requests in which several fields are against a rule together. */
const TOGETHER: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "POST /api/admin/outbox/hold": [{}],
  "POST /api/messages/batch": [
    { ids: ["x"], query: { subject: "x" }, delete: "trash" },
    { ids: ["x"], change: { unread: true }, delete: "trash" },
    { ids: ["x"] },
    { query: {}, delete: "trash" },
    { ids: ["x"], change: {} },
  ],
  "POST /api/accounts": [{ email: "a@x.test" }, { email: "a@x.test", password: "p", grant: { app: "a" } }],
  "POST /api/accounts/connect": [{ email: "nobody", redirectUrl: "ftp://x.test" }],
  "POST /api/send": [
    {},
    { to: "a@x.test", subject: "x" },
    { to: "a@x.test", subject: "x", text: "x", trackOpens: true },
  ],
  "POST /api/settings/webhooks/{id}/replay": [{ since: "2026-01-01T00:00:01Z", until: "2026-01-01T00:00:00Z" }],
  "POST /api/settings/webhooks": [{ url: "https://hook.test/", events: ["email.sent"], maxInFlight: 11 }],
  "POST /api/keys": [{ name: "x", scopes: ["events"], networks: ["nowhere"], expiresAt: "2020-01-01T00:00:00Z" }],
  "POST /api/oauth/apps": [
    { id: "x", provider: "oidc" },
    { id: "x", provider: "google", imap: { host: "h" } },
  ],
};

interface Case extends Pick<Given, "path" | "header" | "body"> {
  readonly query: Readonly<Record<string, unknown>>;
  readonly about: string;
}

/** Returns a value with another in place of what is at a path. */
const placed = (value: unknown, [first, ...rest]: Field["path"], wrong: unknown): unknown => {
  if (first === undefined) return wrong;
  const before = value as any;
  if (typeof first === "number") return [placed(Array.isArray(before) ? before[0] : undefined, rest, wrong)];
  const others = typeof before === "object" && !Array.isArray(before) ? before : {};
  return { ...others, [first]: placed(others?.[first], rest, wrong) };
};

const at = (value: unknown, path: Field["path"]): unknown => path.reduce<any>((within, name) => within?.[name], value);

/** Whether HTTP can carry a value at a place. */
const canCarry = (place: Field["place"], value: unknown): boolean => {
  if (place === "body") return true;
  const text = String(value);
  if (place === "path") return text !== "" && text.isWellFormed();
  return place === "query" ? text.isWellFormed() : /^[\x21-\x7e]*$/.test(text);
};

const casesOf = (operation: Operation, path: Given["path"]): ReadonlyArray<Case> => {
  const valid = { path, query: {}, header: { "if-match": "1" }, body: operation.body };
  const wrong = operation.fields
    .filter((field) => !Object.values(SHAPES).some((isShape) => isShape(field)))
    .flatMap((field) =>
      wrongValues(field, at(operation.body, field.path))
        .filter((value) => canCarry(field.place, value))
        .map((value): Case => {
          const within = placed(valid[field.place], field.path, value) as never;
          const isWaiting = operation.name === "POST /api/messages/wait" && field.path[0] !== "timeout";
          const given = isWaiting ? { ...(within as object), timeout: 0 } : within;
          return { ...valid, [field.place]: given, about: `${field.place} ${field.path.join(".")}` };
        }),
    );
  const together = (TOGETHER[operation.name] ?? []).map((body): Case => ({ ...valid, body, about: "together" }));
  return [...wrong, ...together];
};

interface Refusal {
  readonly code: string;
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>;
}

const refusalOf = ({ code, errors = [] }: { readonly code: string; readonly errors?: Refusal["errors"] }): Refusal => ({
  code,
  errors: errors.toSorted((one, other) => (`${one.field} ${one.message}` < `${other.field} ${other.message}` ? -1 : 1)),
});

const overHttp = Effect.fnUntraced(function* (world: Harness, operation: Operation, token: string, one: Case) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(one.path[name]!));
  const query = new URLSearchParams(
    Object.entries(one.query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const hasBody = operation.fields.some(({ place }) => place === "body");
  return yield* call(world, operation.method, `${path}${query.size === 0 ? "" : `?${query.toString()}`}`, {
    token,
    headers: one.header,
    ...(hasBody ? { json: one.body } : {}),
  });
});

const inCore = Effect.fnUntraced(function* (world: Harness, useCase: Parameters<Harness["inCore"]>[0]) {
  const exit = yield* Effect.exit(world.inCore(useCase));
  if (Exit.isSuccess(exit)) return "accepted";
  const error = Option.getOrUndefined(Exit.findErrorOption(exit));
  if (error === undefined) return String(exit.cause);
  return refusalOf(answerOf(error as never, "id", "folder").problem as never);
});

const REFUSED = [400, 413, 422];

/** The edge counts the values of a body before it reads them. */
const isCrowd = ({ errors = [] }: { readonly errors?: Refusal["errors"] }): boolean =>
  errors.some(({ message }) => message.endsWith("5000 values"));

it.live(
  "a use case refuses the same requests as its operation, with the same code, fields and messages",
  () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const { key } = yield* makeKey(world);
      const endpoint = yield* call(world, "POST", "/api/settings/webhooks", {
        token,
        json: { url: "https://hook.test/", events: ["email.sent"] },
      });
      const known: Readonly<Record<string, string>> = {
        "/api/settings/webhooks/{id}": endpoint.body.data.id,
        "/api/settings/folders/{id}": "nowhere",
      };
      const tokenOf = ({ path }: Operation) => {
        if (/^\/api\/(?:keys|applications|oauth|admin)|\/trace$/.test(path)) return HARNESS_ADMIN_KEY;
        return path.startsWith("/api/accounts") ? key : token;
      };

      expect(Object.keys(USE_CASES).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
      const differing: Array<unknown> = [];
      const compared = new Map<string, number>();
      const fields = new Set<string>();
      for (const operation of operations) {
        const useCase = USE_CASES[operation.name]!;
        if (typeof useCase === "string") continue;
        const base = Object.entries(known).find(([path]) => operation.path.startsWith(path))?.[1] ?? "x";
        const path = { id: base, attachmentId: "x", deliveryId: "x", name: "x" };
        for (const one of casesOf(operation, path)) {
          const answer = yield* overHttp(world, operation, tokenOf(operation), one);
          expect(answer.status, `${operation.name} ${one.about}`).toBeLessThan(500);
          if (!REFUSED.includes(answer.status) || isCrowd(answer.body)) continue;
          compared.set(operation.name, (compared.get(operation.name) ?? 0) + 1);
          fields.add(`${operation.name} ${one.about}`);
          const asked = refusalOf(answer.body);
          const called = yield* inCore(world, useCase(one));
          if (JSON.stringify(called) !== JSON.stringify(asked)) {
            differing.push({ operation: operation.name, about: one.about, http: asked, core: called });
          }
        }
      }
      const cases = [...compared.values()].reduce((sum, count) => sum + count, 0);
      console.log(`compared ${compared.size} operations, ${fields.size} fields, ${cases} cases`);
      expect(differing.map((one) => JSON.stringify(one))).toEqual([]);
      const silent = operations.filter(({ name }) => !compared.has(name) && typeof USE_CASES[name] !== "string");
      expect(silent.map(({ name }) => name).toSorted()).toEqual(Object.keys(NEVER_REFUSED).toSorted());
      expect(cases).toBeGreaterThan(500);
    }),
  120_000,
);
