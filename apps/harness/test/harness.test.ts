import { EmailPage, FolderList } from "@postern/api";
import { setTimeout as sleep } from "node:timers/promises";
import { harness, HARNESS_START, harnessWithStores } from "@postern/harness";
import { it } from "@effect/vitest";
import { AccountId, accountIdOf } from "@postern/core/shared";
import { OutgoingJournal } from "@postern/core/send";
import { Effect, Layer, Option, Schema } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { sqliteStores } from "./sql-stores.ts";

/** Stores as on a busy machine: reading the contents of a message takes seconds of real time. */
const slowStores = Layer.effect(
  OutgoingJournal,
  Effect.map(OutgoingJournal, (journal) =>
    OutgoingJournal.of({
      ...journal,
      contents: (id) =>
        Effect.andThen(
          Effect.promise(() => sleep(2_500)),
          journal.contents(id),
        ),
    }),
  ),
).pipe(Layer.provideMerge(sqliteStores), Layer.orDie);

describe("the service on a virtual clock", () => {
  it.live("signs in, lists folders and messages [S3.2-1] [S2.4-1] [S2.4-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const pair = (yield* signIn(world)).body;
      expect(pair).toMatchObject({ ok: true, expiresIn: 3600 });
      const { folders } = (yield* call(world, "GET", "/api/folders", { token: pair.token })).body;
      expect(folders[0]).toMatchObject({ id: "inbox", name: "INBOX", selectable: true });
      const byName = folders.find(({ name }: { name: string }) => name === "日本語");
      expect(byName.id).toMatch(/^f_[a-z2-7]{20}$/);
      const page = (yield* call(world, "GET", `/api/inbox?folder=${byName.id}`, { token: pair.token })).body;
      expect(page).toMatchObject({
        ok: true,
        folder: "日本語",
        page: 1,
        limit: 20,
        pages: 1,
        nextCursor: null,
      });
      expect(page.emails.length).toBe(page.total);
      expect(page.total).toBeGreaterThan(0);
      expect((yield* signIn(world, "no")).status).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("listings fit the schemas of the contract, without other fields [S4.1-1] [S5.1-4] [S5.2-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const strict = { onExcessProperty: "error" } as const;
      const { folders } = yield* Schema.decodeUnknownEffect(
        FolderList,
        strict,
      )((yield* call(world, "GET", "/api/folders", { token })).body);
      for (const { id } of folders.filter(({ selectable }) => selectable)) {
        const { body } = yield* call(world, "GET", `/api/inbox?folder=${id}&limit=200`, { token });
        const page = yield* Schema.decodeUnknownEffect(EmailPage, strict)(body);
        expect(page.emails.length).toBe(Math.min(page.total, 200));
      }
    }).pipe(Effect.scoped),
  );

  it.live(
    "an access token lasts an hour to the second; refresh tokens are not accepted as access tokens [S3.2-8]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const { token, refreshToken } = (yield* signIn(world)).body;
        const status = (token: string) =>
          Effect.map(call(world, "GET", "/api/folders", { token }), ({ status }) => status);
        expect(yield* status(refreshToken)).toBe(401);
        yield* world.pass("59 minutes");
        yield* world.pass("59 seconds");
        expect(yield* status(token)).toBe(200);
        yield* world.pass("1 second");
        expect(yield* status(token)).toBe(401);
      }).pipe(Effect.scoped),
  );

  it.live("the clock stands still while due work runs, even if that takes seconds", () =>
    Effect.gen(function* () {
      const world = yield* harnessWithStores(slowStores);
      const { token } = (yield* signIn(world)).body;
      const sendAt = new Date(HARNESS_START + 3_600_000).toISOString();
      const json = { to: "friend@postern.test", subject: "Later", text: "Hi", sendAt };
      expect((yield* call(world, "POST", "/api/send", { token, json })).status).toBe(200);
      const began = world.now();
      yield* world.pass("59 minutes");
      yield* world.pass("3 hours");
      const { body } = yield* call(world, "GET", "/api/outbox", { token: (yield* signIn(world)).body.token });
      expect(body.data[0].state).toBe("sent");
      const arrived = world.mail.account(Option.getOrThrow(accountIdOf("friend@postern.test"))).find("INBOX")!.mailbox!;
      expect(arrived.messages.at(-1)!.arrivedAt).toBe(began + 3_600_000);
    }).pipe(Effect.scoped),
  );

  it.live("a password changed at the mail server ends access until a sign-in with the new one [S3.7-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      world.mail.addAccount("demo@postern.test", "changed");
      const refused = yield* call(world, "GET", "/api/folders", { token });
      expect([refused.status, refused.body.code]).toEqual([401, "mailbox_credentials_rejected"]);
      expect((yield* signIn(world, "changed")).status).toBe(200);
      expect((yield* call(world, "GET", "/api/folders", { token })).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.live("message ids stay the same when other mail arrives", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const first = (yield* call(world, "GET", "/api/inbox?limit=3", { token })).body;
      const inbox = world.mail.account(Option.getOrThrow(accountIdOf("demo@postern.test"))).find("INBOX")!.mailbox!;
      inbox.append(new TextEncoder().encode("Subject: late\r\n\r\nText.\r\n"), 0, []);
      const then = (yield* call(world, "GET", "/api/inbox?limit=4", { token })).body;
      const ids = (page: { emails: ReadonlyArray<{ id: string }> }) => page.emails.map(({ id }) => id);
      expect(ids(then).slice(1)).toEqual(ids(first));
      expect(then.emails[0].subject).toBe("late");
    }).pipe(Effect.scoped),
  );

  it.live("advances the clock by the time that the SMTP server takes to answer a later attempt", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const to = "friend@postern.test";
      const types = Effect.map(Effect.orDie(world.events.list(AccountId("demo@postern.test"))), (all) =>
        all.map(({ type }) => type),
      );
      world.smtp.conduct = { rcpt: { [to]: { code: 451, enhanced: "4.3.0", text: "later" } } };
      const sent = yield* call(world, "POST", "/api/send", { token, json: { to, subject: "Hi", text: "Hi" } });
      expect(sent.body.status).toBe("queued");
      world.smtp.conduct = { delay: 60_000 };
      yield* world.pass("90 seconds");
      expect(yield* types).toEqual([]);
      yield* world.pass("31 seconds");
      expect(yield* types).toEqual(["email.sent"]);
    }).pipe(Effect.scoped),
  );
});
