import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { Authentication, type Session, TokenRejected } from "@postern/core/auth";
import { HARNESS_START, HARNESS_URL, harnessTrusting } from "@postern/harness";
import { Effect, Layer } from "effect";
import { expect } from "vitest";
import { signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";

const DEMO = AccountId("demo@postern.test");

it.live("asks the authority that accepted a stream whether it may continue", () =>
  Effect.gen(function* () {
    let isAllowed = true;
    const session = { id: "kept-elsewhere", account: DEMO } as Session;
    const service = yield* harnessTrusting(
      Layer.succeed(Authentication, {
        byAccessToken: (token) =>
          token === "theirs" ? Effect.succeed(session) : Effect.fail(new TokenRejected({ reason: "signature" })),
        byCookie: () => Effect.fail(new TokenRejected({ reason: "session_ended" })),
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
