import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { HARNESS_URL, harness } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call } from "./call.ts";
import { readEventStream } from "./event-stream.ts";
import { asAdmin, makeKey } from "./key-world.ts";

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";

/** A service with two managed accounts, and streams of keys that name no account. */
const world = Effect.gen(function* () {
  const service = yield* harness;
  const all = yield* makeKey(service);
  const manage = (email: string, tags: ReadonlyArray<string> = []) =>
    call(service, "POST", "/api/accounts", { token: all.key, json: { email, password: "demo", tags } });
  yield* manage(DEMO);
  const open = Effect.fnUntraced(function* (key: string, after?: string) {
    const headers = { authorization: `Bearer ${key}`, ...(after === undefined ? {} : { "last-event-id": after }) };
    const response = yield* service.request(new Request(new URL("/api/events", HARNESS_URL), { headers }));
    expect(response.status).toBe(200);
    const stream = readEventStream(response);
    yield* Effect.addFinalizer(() => Effect.promise(() => stream.close()));
    return {
      id: Effect.promise(() => stream.id()),
      /** The next event: its id in the stream, whose it is, and its subject. */
      next: Effect.map(
        Effect.promise(() => stream.next()),
        (read) => [read?.id, read?.data.account?.email, read?.data.data?.subject],
      ),
    };
  });
  const arrive = (email: string, subject: string) =>
    service.mail
      .account(AccountId(email))
      .mailbox("INBOX")
      .append(new TextEncoder().encode(`Subject: ${subject}\r\n\r\nHi.\r\n`), service.now());
  const next = (key: string) =>
    Effect.map(call(service, "GET", "/api/changes", { token: key }), ({ body }) => body.next as string);
  return { service, all, manage, open, arrive, next };
});

it.live("streams the events of all accounts that a key reaches, with the positions of the feed [S7.9-4]", () =>
  Effect.gen(function* () {
    const { service, all, manage, open, arrive, next } = yield* world;
    const some = yield* makeKey(service, { accounts: ["tag:vip"], scopes: ["events"] });
    const start = yield* next(all.key);
    const stream = yield* open(all.key);
    const ofSome = yield* open(some.key);
    expect(yield* stream.id).toBe(start);
    arrive(DEMO, "one");
    const [id, ...one] = yield* stream.next;
    expect(one).toEqual([DEMO, "one"]);
    expect(id).toBe(yield* next(all.key));
    // An account that is added meanwhile.
    yield* manage(FRIEND, ["vip"]);
    expect((yield* stream.next)[1]).toBe(FRIEND);
    arrive(FRIEND, "two");
    expect((yield* stream.next).slice(1)).toEqual([FRIEND, "two"]);
    arrive(DEMO, "three");
    expect((yield* stream.next).slice(1)).toEqual([DEMO, "three"]);
    expect((yield* ofSome.next)[1]).toBe(FRIEND);
    expect((yield* ofSome.next).slice(1)).toEqual([FRIEND, "two"]);
    const resumed = yield* open(all.key, id);
    expect((yield* resumed.next)[1]).toBe(FRIEND);
    expect((yield* resumed.next).slice(1)).toEqual([FRIEND, "two"]);
  }).pipe(Effect.scoped),
);

it.live("ends the stream of a key without an account within a second of the key [S7.9-6]", () =>
  Effect.gen(function* () {
    const { service, open } = yield* world;
    const key = yield* makeKey(service, { scopes: ["events"] });
    const stream = yield* open(key.key);
    yield* service.pass("10 seconds");
    yield* asAdmin(service, "DELETE", `/api/keys/${key.id}`);
    yield* service.pass("1 second");
    expect(yield* stream.next).toEqual([undefined, undefined, undefined]);
  }).pipe(Effect.scoped),
);

it.live("keeps at most 256 streams of a key open that name no account [S10.2-36]", () =>
  Effect.gen(function* () {
    const { service, all } = yield* world;
    const other = yield* makeKey(service, { scopes: ["events"] });
    const ask = (key: string) =>
      service.request(
        new Request(new URL("/api/events", HARNESS_URL), { headers: { authorization: `Bearer ${key}` } }),
      );
    const streams = yield* Effect.replicateEffect(ask(all.key), 256);
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = yield* ask(all.key);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const beside = yield* ask(other.key);
    expect(beside.status).toBe(200);
    yield* Effect.promise(() => streams[0]!.body!.cancel());
    const again = yield* ask(all.key);
    expect(again.status).toBe(200);
    for (const { body } of [...streams.slice(1), beside, again]) yield* Effect.promise(() => body!.cancel());
  }).pipe(Effect.scoped),
);
