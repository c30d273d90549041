import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { expect } from "vitest";
import { harness, HARNESS_URL } from "@postern/harness";
import { readEventStream } from "./event-stream.ts";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");

const raw = (subject: string) =>
  new TextEncoder().encode(
    `From: "Ann" <ann@example.org>\r\nTo: demo@postern.test\r\nSubject: ${subject}\r\n\r\nHi.\r\n`,
  );

const world = Effect.gen(function* () {
  const service = yield* harness;
  const token: string = (yield* signIn(service)).body.token;
  const inbox = service.mail.account(DEMO).mailbox("INBOX");
  const open = Effect.fnUntraced(function* (after?: string) {
    const headers = { authorization: `Bearer ${token}`, ...(after === undefined ? {} : { "last-event-id": after }) };
    const response = yield* service.request(new Request(new URL("/api/events", HARNESS_URL), { headers }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const stream = readEventStream(response);
    yield* Effect.addFinalizer(() => Effect.promise(() => stream.close()));
    return { next: Effect.promise(() => stream.next()), id: Effect.promise(() => stream.id()) };
  });
  return { service, token, inbox, open };
});

it.live("announces messages that arrive, are read and are deleted, with the body of a webhook [S7.9-1] [S2.4-5]", () =>
  Effect.gen(function* () {
    const { inbox, open, service } = yield* world;
    const stream = yield* open();
    const message = inbox.append(raw("Hello"), Date.UTC(2026, 0, 1));
    const received = yield* stream.next;
    expect(received).toMatchObject({
      event: "email.received",
      data: {
        event: "email.received",
        data: { uid: message.uid, from: "ann@example.org", fromName: "Ann", subject: "Hello", folder: "INBOX" },
      },
    });
    expect(received!.data.id).toBe(received!.id);
    message.flags = ["\\Seen"];
    expect(yield* stream.next).toMatchObject({
      event: "email.flags_changed",
      data: { data: { uid: message.uid, unread: false, id: received!.data.data.id } },
    });
    inbox.expunge([message.uid]);
    expect(yield* stream.next).toMatchObject({ event: "email.deleted", data: { data: { uid: message.uid } } });
    const kept = yield* Effect.orDie(service.events.list(DEMO));
    expect(kept.map(({ type }) => type).toSorted()).toEqual(["email.deleted", "email.flags_changed", "email.received"]);
  }).pipe(Effect.scoped),
);

it.live(
  "does not announce mail from before the first stream, and resumes after the last event received [S7.4-3] [S7.9-2]",
  () =>
    Effect.gen(function* () {
      const { inbox, open, service } = yield* world;
      inbox.append(raw("before"), 0);
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const stream = yield* open();
          inbox.append(raw("one"), 0);
          return yield* stream.next;
        }),
      );
      expect(first!.data.data.subject).toBe("one");
      inbox.append(raw("two"), 0);
      inbox.append(raw("three"), 0);
      const stream = yield* open(first!.id);
      expect((yield* stream.next)!.data.data.subject).toBe("two");
      expect((yield* stream.next)!.data.data.subject).toBe("three");
      yield* service.pass("20 minutes");
      inbox.append(raw("four"), 0);
      expect((yield* stream.next)!.data.data.subject).toBe("four");
    }).pipe(Effect.scoped),
);

it.live("begins with an id, so that a client cut off before its first event misses none [S7.9-3]", () =>
  Effect.gen(function* () {
    const { inbox, open, service } = yield* world;
    const cut = (after?: string) => Effect.scoped(Effect.flatMap(open(after), ({ id }) => id));
    const missed = Effect.fnUntraced(function* (id: string | undefined, subject: string) {
      inbox.append(raw(subject), 0);
      const received = (yield* (yield* open(id)).next)!;
      expect([received.event, received.data.data?.subject]).toEqual(["email.received", subject]);
      return received.id;
    }, Effect.scoped);
    const forgetAll = Effect.gen(function* () {
      while (yield* service.events.forget(service.now() + 1, 100));
    });

    // Before the first event, after an event, and after an event that was swept.
    const before = yield* cut();
    const first = yield* missed(before, "one");
    expect(yield* cut()).toBe(first);
    expect(yield* cut(first)).toBe(first);
    const second = yield* missed(first, "two");
    yield* forgetAll;
    const later = yield* cut();
    expect([first, second]).not.toContain(later);
    expect(yield* cut(later)).toBe(later);
    yield* missed(later, "three");

    // An id whose later events were swept.
    yield* forgetAll;
    for (const id of [before, later]) expect(yield* (yield* open(id)).next).toMatchObject({ event: "gap", data: {} });
  }).pipe(Effect.scoped),
);

it.live("announces that a message that left has returned, and does not announce a further copy [S7.4-8]", () =>
  Effect.gen(function* () {
    const { inbox, open } = yield* world;
    const stream = yield* open();
    const written = new TextEncoder().encode("Message-ID: <snoozed@example.org>\r\nSubject: snoozed\r\n\r\nHi.\r\n");
    const { uid } = inbox.append(written, 0);
    expect((yield* stream.next)!.data.data).not.toHaveProperty("returned");
    inbox.expunge([uid]);
    expect((yield* stream.next)!.event).toBe("email.deleted");
    inbox.append(written, 60_000);
    expect((yield* stream.next)!.data).toMatchObject({ event: "email.received", data: { returned: true } });
    inbox.append(written, 60_000);
    expect((yield* stream.next)!.data.data).not.toHaveProperty("returned");
  }).pipe(Effect.scoped),
);

it.live("does not announce what arrived while the account was not watched [S7.4-4]", () =>
  Effect.gen(function* () {
    const { inbox, open, service } = yield* world;
    yield* Effect.scoped(open());
    yield* service.pass("5 minutes");
    inbox.append(raw("unwatched"), 0);
    yield* service.pass("5 minutes");
    const stream = yield* open();
    inbox.append(raw("watched"), 0);
    expect((yield* stream.next)!.data.data.subject).toBe("watched");
  }).pipe(Effect.scoped),
);

it.live("sends a gap if the last event received was swept [S7.9-2]", () =>
  Effect.gen(function* () {
    const { inbox, open } = yield* world;
    const stream = yield* open("evt_00000000000000000000");
    expect(yield* stream.next).toMatchObject({ event: "gap", data: {} });
    inbox.append(raw("next"), 0);
    expect((yield* stream.next)!.data.data.subject).toBe("next");
  }).pipe(Effect.scoped),
);

it.live("ends when the session ends [S3.4-4]", () =>
  Effect.gen(function* () {
    const { open, service, token } = yield* world;
    const stream = yield* open();
    const ended = yield* call(service, "POST", "/api/auth/logout", { token });
    expect(ended.status).toBe(200);
    yield* service.pass("1 second");
    // That the account is signed out may be told before the end.
    const last = yield* stream.next;
    if (last !== undefined) expect([last.event, yield* stream.next]).toEqual(["account.auth_failed", undefined]);
  }).pipe(Effect.scoped),
);

it.live("reports once that the mail server no longer accepts the password [S3.7-3]", () =>
  Effect.gen(function* () {
    const { open, service } = yield* world;
    const stream = yield* open();
    service.mail.addAccount("demo@postern.test", "changed");
    yield* service.pass("10 minutes");
    expect(yield* stream.next).toMatchObject({
      event: "account.auth_failed",
      data: {
        data: {
          email: DEMO,
          reason: { code: "auth_refused", message: expect.stringContaining("refused the user name") },
        },
      },
    });
    yield* service.pass("10 minutes");
    const kept = yield* Effect.orDie(service.events.list(DEMO));
    expect(kept.filter(({ type }) => type === "account.auth_failed")).toHaveLength(1);
  }).pipe(Effect.scoped),
);

it.live("announces folders created, renamed and deleted, by the API or by another mail client", () =>
  Effect.gen(function* () {
    const { open, service, token } = yield* world;
    const stream = yield* open();
    yield* call(service, "GET", "/api/folders", { token });
    const made = yield* call(service, "POST", "/api/settings/folders", { token, json: { name: "Bills" } });
    const { id } = made.body.data;
    expect(yield* stream.next).toMatchObject({ event: "folder.created", data: { data: { id, name: "Bills" } } });
    service.mail.account(DEMO).rename("Bills", "Paid");
    yield* service.pass("5 minutes");
    expect(yield* stream.next).toMatchObject({ event: "folder.renamed", data: { data: { id, path: "Paid" } } });
    service.mail.account(DEMO).delete("Paid");
    yield* service.pass("5 minutes");
    expect(yield* stream.next).toMatchObject({ event: "folder.deleted", data: { data: { id, name: "Paid" } } });
  }).pipe(Effect.scoped),
);

it.live("does not announce messages that the API moves into INBOX [S7.4-5]", () =>
  Effect.gen(function* () {
    const { inbox, open, service, token } = yield* world;
    const stream = yield* open();
    service.mail.account(DEMO).mailbox("Junk").append(raw("rescued"), 0);
    const { emails } = (yield* call(service, "GET", "/api/inbox?folder=junk&limit=1", { token })).body;
    expect(emails[0].subject).toBe("rescued");
    const json = { folderId: "inbox" };
    expect((yield* call(service, "PATCH", `/api/messages/${emails[0].id}`, { token, json })).status).toBe(200);
    inbox.append(raw("next"), 0);
    expect((yield* stream.next)!.data.data.subject).toBe("next");
  }).pipe(Effect.scoped),
);
