import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";

const DEMO = AccountId("demo@postern.test");
const LIMIT = 30_000;

const dsn = (recipient: string, returned: string, status = "5.1.1", action = "failed") =>
  new TextEncoder().encode(
    [
      "Return-Path: <>",
      "From: MAILER-DAEMON@mx.example.org",
      "To: demo@postern.test",
      "Subject: Undelivered Mail Returned to Sender",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
      "",
      "--B",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      "",
      "--B",
      "Content-Type: text/rfc822-headers",
      "",
      returned,
      "--B--",
      "",
    ].join("\r\n"),
  );

const kinds = ["email.bounced", "email.delayed", "email.complained"];
const reports = (service: Harness) =>
  Effect.map(Effect.orDie(service.events.list(DEMO)), (events) =>
    events
      .filter(({ type }) => kinds.includes(type))
      .map(({ type, body }) => ({ type, data: JSON.parse(new TextDecoder().decode(body)).data })),
  );

const until = <A>(look: Effect.Effect<A>, done: (seen: A) => boolean) =>
  Effect.gen(function* () {
    for (let n = 0; n < 400; n++) {
      const seen = yield* look;
      if (done(seen)) return seen;
      yield* Effect.promise(() => new Promise((resolve) => void setTimeout(resolve, 50)));
    }
    return yield* look;
  });

const world = Effect.gen(function* () {
  const service = yield* harness;
  const token: string = (yield* signIn(service)).body.token;
  const response = yield* service.request(
    new Request(new URL("/api/events", HARNESS_URL), { headers: { authorization: `Bearer ${token}` } }),
  );
  const stream = readEventStream(response);
  yield* Effect.addFinalizer(() => Effect.promise(() => stream.close()));
  const inbox = service.mail.account(DEMO).mailbox("INBOX");
  const send = (to: string, subject: string) =>
    Effect.map(
      call(service, "POST", "/api/send", { token, json: { to, subject, text: "Hi." } }),
      ({ body }) => body.messageId as string,
    );
  const append = (raw: Uint8Array) => inbox.append(raw, service.now());
  return { service, send, append };
});

it.live(
  "announces a bounce of an unknown address of the sandbox",
  () =>
    Effect.gen(function* () {
      const { service, send } = yield* world;
      const messageId = yield* send("nobody@postern.test", "To an unknown address");
      const events = yield* until(reports(service), ({ length }) => length > 0);
      expect(events).toMatchObject([
        {
          type: "email.bounced",
          data: {
            outboxId: messageId.slice(1, messageId.indexOf("@")),
            messageId,
            recipient: "nobody@postern.test",
            status: "5.1.1",
            source: "dsn",
            type: "permanent",
          },
        },
      ]);
    }).pipe(Effect.scoped),
  LIMIT,
);

it.live(
  "counts a report once, and only for recipients of the message that it names",
  () =>
    Effect.gen(function* () {
      const { service, send, append } = yield* world;
      const messageId = yield* send("gone@example.org", "Offer");
      append(dsn("other@example.org", `Message-ID: ${messageId}\r\nSubject: Offer\r\n`));
      append(dsn("gone@example.org", "Message-ID: <foreign@example.org>\r\nSubject: Another\r\n"));
      append(dsn("gone@example.org", `Message-ID: ${messageId}\r\n`, "4.4.1", "delayed"));
      yield* until(reports(service), ({ length }) => length === 1);
      for (let n = 0; n < 3; n++) append(dsn("gone@example.org", `Message-ID: ${messageId}\r\n`));
      yield* until(reports(service), ({ length }) => length === 2);
      const second = yield* send("late@example.org", "Rewritten");
      append(dsn("late@example.org", "Message-ID: <relay@example.org>\r\nSubject: Rewritten\r\n"));
      const events = yield* until(reports(service), ({ length }) => length === 3);
      expect(new Set(events.map(({ type, data }) => `${type} ${data.messageId} ${data.recipient}`))).toEqual(
        new Set([
          `email.delayed ${messageId} gone@example.org`,
          `email.bounced ${messageId} gone@example.org`,
          `email.bounced ${second} late@example.org`,
        ]),
      );
    }).pipe(Effect.scoped),
  LIMIT,
);
