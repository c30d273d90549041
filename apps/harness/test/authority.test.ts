import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { Authentication, type Session, TokenRejected } from "@postern/core/auth";
import { HARNESS_START, HARNESS_URL, harness, harnessWithAuthority } from "@postern/harness";
import { RequestAuthority } from "@postern/http-api";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";

const DEMO = AccountId("demo@postern.test");

it.live("asks the authority that accepted a stream whether it may continue", () =>
  Effect.gen(function* () {
    let isAllowed = true;
    const session = { id: "kept-elsewhere", account: DEMO } as Session;
    const service = yield* harnessWithAuthority(
      Layer.succeed(Authentication, {
        byAccessToken: (token) =>
          token === "theirs" ? Effect.succeed(session) : Effect.fail(new TokenRejected({ reason: "signature" })),
        byCookie: () => Effect.fail(new TokenRejected({ reason: "session_ended" })),
        byHost: () => Effect.void,
        isLive: (account, id) => Effect.succeed(isAllowed && account === DEMO && id === session.id),
      }),
    );
    expect((yield* signIn(service)).status).toBe(200);
    const headers = { authorization: "Bearer theirs" };
    const response = yield* service.request(new Request(new URL("/api/events", HARNESS_URL), { headers }));
    const stream = readEventStream(response);
    const inbox = service.mail.account(DEMO).mailbox("INBOX");
    for (const subject of ["First", "Later"]) {
      inbox.append(new TextEncoder().encode(`Subject: ${subject}\r\n\r\nHi.\r\n`), HARNESS_START);
      expect(yield* Effect.promise(() => stream.next())).toMatchObject({ data: { data: { subject } } });
      yield* service.pass("10 seconds");
    }

    isAllowed = false;
    yield* service.pass("1 second");
    expect(yield* Effect.promise(() => stream.next())).toBeUndefined();
  }),
);

/** A service whose host vouches for each request, as embedded ones do, after a sign-in; its sweeps run every hour. */
const embedded = Effect.gen(function* () {
  const service = yield* Effect.provideService(harness, RequestAuthority, () => Effect.succeed(DEMO));
  expect((yield* signIn(service)).status).toBe(200);
  const days = Effect.fnUntraced(function* (count: number) {
    yield* service.pass(`${count} days`);
    yield* service.sweep;
  });
  const ended = service.events.list(DEMO).pipe(
    Effect.map((events) => events.filter(({ type }) => type === "account.auth_failed")),
    Effect.orDie,
  );
  return { service, days, ended, read: Effect.map(call(service, "GET", "/api/folders"), ({ status }) => status) };
});

describe("an account that the host uses", () => {
  it.live("stays open as long as no 30 days pass without a request [S3.5-13]", () =>
    Effect.gen(function* () {
      const { days, read, ended } = yield* embedded;
      for (const count of [20, 11, 29, 29, 29, 29]) {
        expect(yield* read).toBe(200);
        yield* days(count);
      }
      expect(yield* read).toBe(200);
      expect(yield* ended).toEqual([]);
    }),
  );

  it.live("is used as long as a stream of its events is open [S3.5-14]", () =>
    Effect.gen(function* () {
      const { service } = yield* embedded;
      yield* service.request(new Request(new URL("/api/events", HARNESS_URL)));
      yield* service.pass("6 minutes");
      // Uses are recorded every five minutes, so this request itself is not.
      const { body } = yield* call(service, "GET", "/api/auth/sessions");
      const { lastUsedAt } = body.data.find(({ kind }: { kind: string }) => kind === "host");
      expect(Date.parse(lastUsedAt) - HARNESS_START).toBeCloseTo(5 * 60_000, -4);
    }),
  );

  it.live("loses its password after 30 days without a request, and an event says so [S3.7-6]", () =>
    Effect.gen(function* () {
      const { service, days, read, ended } = yield* embedded;
      expect(yield* read).toBe(200);
      yield* days(31);
      expect(yield* service.hasCredential(DEMO)).toBe(false);
      expect(yield* read).toBe(401);
      const bodies = (yield* ended).map(({ body }) => JSON.parse(new TextDecoder().decode(body)));
      expect(bodies).toMatchObject([{ data: { email: DEMO, reason: { code: "signed_out" } } }]);
    }),
  );

  it.live("is listed with its sessions, and loses its password when the last of them is ended", () =>
    Effect.gen(function* () {
      const { service, days } = yield* embedded;
      const list = Effect.map(call(service, "GET", "/api/auth/sessions"), ({ body }) => body.data);
      const kinds = (yield* list).map(({ kind }: { kind: string }) => kind);
      expect(kinds.toSorted()).toEqual(["bearer", "host"]);
      yield* days(29);
      yield* list;
      yield* days(2);
      const [left, ...others] = yield* list;
      expect([left.kind, others]).toEqual(["host", []]);
      yield* call(service, "DELETE", `/api/auth/sessions/${left.id}`);
      expect(yield* service.hasCredential(DEMO)).toBe(false);
    }),
  );
});
