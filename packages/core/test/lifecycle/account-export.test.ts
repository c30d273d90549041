import { assert, it } from "@effect/vitest";
import { Cause, Effect, Layer, Option, Stream } from "effect";
import { Accounts, newAccount } from "../../src/accounts/index.ts";
import { Audit } from "../../src/audit/index.ts";
import { AccountSessions } from "../../src/auth/index.ts";
import { AccountExport } from "../../src/lifecycle/AccountExport.ts";
import { LiveEvents } from "../../src/lifecycle/LiveEvents.ts";
import { Identities, Outbox } from "../../src/send/index.ts";
import { AccountId, InputInvalid } from "../../src/shared/index.ts";
import { ownedBy, WebhookEndpoints } from "../../src/webhooks/index.ts";

/** The parts of the audit that no export uses. */
const UNUSED = {
  trailOf: () => () => Effect.void,
  worker: {
    name: "audit",
    runDue: Effect.succeed(0),
    run: Effect.never,
    stop: Effect.void,
    drain: () => Effect.void,
    nextDue: Effect.succeedNone,
  },
};

const ME = newAccount(AccountId("me@x.test"), 1);

it.effect("the export of an account has all records of each kind, page after page [S10.3-46]", () => {
  const asked: Array<unknown> = [];
  /** A list of two pages, which records what it was asked for. */
  const pages =
    (kind: string, ...of: ReadonlyArray<unknown>) =>
    (request: { readonly cursor?: string | undefined; readonly limit?: number | undefined }) =>
      Effect.sync((): never => {
        asked.push([kind, ...of, request.cursor, request.limit]);
        const last = { items: [`${kind} 3`], nextCursor: null };
        return (request.cursor === "next" ? last : { items: [`${kind} 1`, `${kind} 2`], nextCursor: "next" }) as never;
      });
  const layer = Layer.provide(AccountExport.layer, [
    Layer.mock(Accounts, { idOf: Option.none, details: ({ id }) => Effect.succeed(`details of ${id}` as never) }),
    Layer.mock(AccountSessions, { page: (id, request) => pages("session", id)(request) }),
    Layer.mock(Identities, { page: (id, request) => pages("identity", id)(request) }),
    Layer.mock(WebhookEndpoints, { page: (owner, request) => pages("endpoint", owner)(request) }),
    Layer.mock(Outbox, { page: (id, request) => pages("mail", id)(request) }),
    Layer.mock(LiveEvents, { kept: (id) => Stream.make(`event of ${id}` as never) }),
    Layer.mock(Audit, { ...UNUSED, page: (request, reader) => pages("operation", reader)(request) }),
  ]);
  return Effect.gen(function* () {
    const records = yield* Effect.flatMap(AccountExport, (all) => Stream.runCollect(all.of(ME)));
    const three = (tag: string, kind: string) => [1, 2, 3].map((n) => `${tag} ${kind} ${n}`);
    assert.deepStrictEqual(
      records.map(({ _tag, record }) => `${_tag} ${String(record)}`),
      [
        "Account details of me@x.test",
        ...three("Session", "session"),
        ...three("Identity", "identity"),
        ...three("Endpoint", "endpoint"),
        ...three("Outgoing", "mail"),
        "Event event of me@x.test",
        ...three("Operation", "operation"),
      ],
    );
    assert.deepStrictEqual(
      asked,
      [
        ["session", ME.id],
        ["identity", ME.id],
        ["endpoint", ownedBy(ME.id)],
        ["mail", ME.id],
        ["operation", { key: null, account: ME.id }],
      ].flatMap((list) => [
        [...list, undefined, 50],
        [...list, "next", 50],
      ]),
    );
  }).pipe(Effect.provide(layer));
});

it.effect("the export fails if a list does not know its own cursor", () => {
  const layer = Layer.provide(AccountExport.layer, [
    Layer.mock(Accounts, { idOf: Option.none, details: () => Effect.succeed({} as never) }),
    Layer.mock(AccountSessions, {
      page: () => new InputInvalid({ errors: [{ field: "cursor", message: "is wrong" }] }),
    }),
    Layer.mock(Identities, {}),
    Layer.mock(WebhookEndpoints, {}),
    Layer.mock(Outbox, {}),
    Layer.mock(LiveEvents, { kept: () => Stream.empty }),
    Layer.mock(Audit, { ...UNUSED }),
  ]);
  return Effect.gen(function* () {
    const exit = yield* Effect.exit(Effect.flatMap(AccountExport, (all) => Stream.runCollect(all.of(ME))));
    // A list without a double fails too, with another error.
    assert.instanceOf(exit._tag === "Failure" && Cause.squash(exit.cause), InputInvalid);
  }).pipe(Effect.provide(layer));
});
