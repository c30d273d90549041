import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");
const FRIEND = AccountId("friend@postern.test");

const BYTES = Uint8Array.from({ length: 200_000 }, (_, n) => (n * 7) % 256);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll(/.{76}/g, "$&\r\n");

const ORIGINAL = [
  "From: friend@postern.test",
  "To: demo@postern.test",
  "Subject: Plans",
  "Message-ID: <plans@x>",
  "References: <first@x>",
  " <second@x>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html",
  "",
  '<p>See <img src="cid:pic@x"><img src="cid:other@x"></p>',
  ...["pic@x", "other@x"].flatMap((id) => [
    "--b",
    "Content-Type: image/png",
    `Content-ID: <${id}>`,
    "Content-Transfer-Encoding: base64",
    "",
    base64(BYTES.subarray(0, 100)),
  ]),
  "--b",
  'Content-Type: application/pdf; name="pläne.pdf"',
  "Content-Disposition: attachment",
  "Content-Transfer-Encoding: base64",
  "",
  base64(BYTES),
  "--b--",
  "",
].join("\r\n");

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  world.mail
    .account(DEMO)
    .mailbox("INBOX")
    .append(Buffer.from(ORIGINAL), Date.UTC(2026, 0, 1));
  const { emails } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body;
  const send = (more: object, headers = {}) =>
    call(world, "POST", "/api/send", {
      token,
      headers,
      json: { to: "friend@postern.test", subject: "Re", text: "Hello", ...more },
    });
  return { world, token, send, id: emails[0].id as string };
});

/** Returns the last message that the friend received, read by the friend. */
const received = Effect.fnUntraced(function* (world: Harness) {
  const { token } = (yield* signIn(world, "demo", "friend@postern.test")).body;
  const { emails } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body;
  const { data } = (yield* call(world, "GET", `/api/messages/${emails[0].id}`, { token })).body;
  const part = Effect.fnUntraced(function* (url: string) {
    const request = new Request(new URL(url, "http://postern.test"), { headers: { authorization: `Bearer ${token}` } });
    const response = yield* world.request(request);
    return new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()));
  });
  return { data, part };
});

describe("replying and forwarding", () => {
  it.live("a reply has In-Reply-To and References, and marks the original as answered", () =>
    Effect.gen(function* () {
      const { world, token, send, id } = yield* start;
      expect((yield* send({ replyToMessageId: id })).body).toMatchObject({ status: "sent" });
      const { data } = yield* received(world);
      expect(data).toMatchObject({
        inReplyTo: "<plans@x>",
        references: ["<first@x>", "<second@x>", "<plans@x>"],
        attachments: [],
      });
      const original = (yield* call(world, "GET", `/api/messages/${id}`, { token })).body.data;
      expect(original).toMatchObject({ answered: true });
      yield* send({ replyToMessageId: id, inReplyTo: "<own@x>" });
      expect((yield* received(world)).data.inReplyTo).toBe("<own@x>");
    }).pipe(Effect.scoped),
  );

  it.live("a forward attaches the original's files and the pictures that its HTML shows", () =>
    Effect.gen(function* () {
      const { world, send, id } = yield* start;
      expect((yield* send({ forwardOf: id, html: '<p>Look: <img src="cid:pic@x"></p>' })).status).toBe(200);
      const { data, part } = yield* received(world);
      expect(data.attachments.map(({ name, contentId }: any) => [name, contentId])).toEqual([
        [expect.anything(), "pic@x"],
        ["pläne.pdf", null],
      ]);
      expect(yield* part(data.attachments[1].url)).toEqual(BYTES);
      expect(yield* part(data.attachments[0].url)).toEqual(BYTES.subarray(0, 100));
      expect(data.html).toContain(data.attachments[0].url);
      expect(data.inReplyTo).toBeNull();
    }).pipe(Effect.scoped),
  );

  it.live(
    "what a reply omits is filled in: the subject once with Re:, the author, and the original quoted [S12.4-1] [S12.4-2] [S12.4-3] [S12.4-4]",
    () =>
      Effect.gen(function* () {
        const { world, token, id } = yield* start;
        const ask = (method: string, path: string, json: object, headers = {}) =>
          call(world, method, path, { token, json, headers });
        expect((yield* ask("POST", "/api/send", { replyToMessageId: id })).body).toMatchObject({ status: "sent" });
        const { data } = yield* received(world);
        expect(data).toMatchObject({ subject: "Re: Plans", to: [{ address: "friend@postern.test" }] });
        expect(data.text).toMatch(/^> See/m);

        const draft = (yield* ask("POST", "/api/drafts", { replyToMessageId: id })).body.data;
        expect(draft).toMatchObject({ subject: "Re: Plans", to: [{ address: "friend@postern.test" }] });
        expect(draft.text).toMatch(/^> See/m);
        const headers = { "if-match": draft.version };
        const saved = yield* ask("PUT", `/api/drafts/${draft.id}`, { replyToMessageId: id }, headers);
        expect(saved.body.data).toMatchObject({ subject: "", to: [], inReplyTo: "<plans@x>" });

        // Of a message that the account wrote, an answer goes to its recipients.
        const { emails } = (yield* call(world, "GET", "/api/inbox?folder=sent&limit=1", { token })).body;
        yield* ask("POST", "/api/send", { replyToMessageId: emails[0].id, text: "And this." });
        const again = (yield* received(world)).data;
        expect(again).toMatchObject({ subject: "Re: Plans", to: [{ address: "friend@postern.test" }] });
        expect(again.text).not.toMatch(/^>/m);
      }).pipe(Effect.scoped),
  );

  it.live(
    "what a forward omits is filled in: the subject with Fwd:, and the original below its header [S12.4-1] [S12.4-2] [S12.4-5]",
    () =>
      Effect.gen(function* () {
        const { world, token, id } = yield* start;
        const json = { to: "friend@postern.test", forwardOf: id };
        expect((yield* call(world, "POST", "/api/send", { token, json })).status).toBe(200);
        const { data } = yield* received(world);
        expect(data.subject).toBe("Fwd: Plans");
        expect(data.text).toMatch(/Subject: Plans[^]*See/);
        const draft = (yield* call(world, "POST", "/api/drafts", { token, json })).body.data;
        expect(draft.attachments.map(({ name }: { readonly name: string }) => name)).toContain("pläne.pdf");
      }).pipe(Effect.scoped),
  );

  it.live("a repeat with the same Idempotency-Key sends nothing", () =>
    Effect.gen(function* () {
      const { world, send, id } = yield* start;
      const count = () => world.mail.account(FRIEND).mailbox("INBOX").messages.length;
      const before = count();
      const first = yield* send({ forwardOf: id }, { "idempotency-key": "k1" });
      const again = yield* send({ forwardOf: id }, { "idempotency-key": "k1" });
      expect(again.body.messageId).toBe(first.body.messageId);
      expect(count()).toBe(before + 1);
    }).pipe(Effect.scoped),
  );

  it.live("refuses unknown ids, and a reply that is also a forward, naming the field", () =>
    Effect.gen(function* () {
      const { world, send, id } = yield* start;
      const friend = (yield* signIn(world, "demo", "friend@postern.test")).body.token;
      const foreign = (yield* call(world, "GET", "/api/inbox?limit=1", { token: friend })).body.emails[0].id;
      for (const [more, field] of [
        [{ replyToMessageId: "none" }, "replyToMessageId"],
        [{ forwardOf: foreign }, "forwardOf"],
        [{ forwardOf: id, replyToMessageId: id }, "forwardOf"],
      ] as const) {
        const { status, body } = yield* send(more);
        expect([status, body.errors[0].field]).toEqual([400, field]);
      }
    }).pipe(Effect.scoped),
  );

  it.live(
    "to a message that a program wrote is refused unless the body has force; for a draft when it is sent [S6.2-8] [S6.2-10] [S6.2-11]",
    () =>
      Effect.gen(function* () {
        const { world, token, send } = yield* start;
        const raw = Buffer.from(ORIGINAL.replace("MIME-Version", "Auto-Submitted: auto-replied\r\nMIME-Version"));
        world.mail
          .account(DEMO)
          .mailbox("INBOX")
          .append(raw, Date.UTC(2026, 0, 2));
        const { id } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body.emails[0];
        const read = yield* call(world, "GET", `/api/messages/${id}`, { token });
        expect(read.body.data.automatic).toBe(true);
        const before = world.mail.account(FRIEND).mailbox("INBOX").messages.length;
        const refused = { status: 422, body: { code: "automatic_message" } };
        expect(yield* send({ replyToMessageId: id })).toMatchObject(refused);
        const json = { to: "friend@postern.test", subject: "Re", text: "Hello", replyToMessageId: id };
        const draft = yield* call(world, "POST", "/api/drafts", { token, json });
        const path = `/api/drafts/${draft.body.data.id}`;
        expect(draft.status).toBe(200);
        expect(yield* call(world, "POST", `${path}/send`, { token })).toMatchObject(refused);
        expect(world.mail.account(FRIEND).mailbox("INBOX").messages).toHaveLength(before);
        const headers = { "if-match": draft.body.data.version };
        const forced = yield* call(world, "PUT", path, { token, headers, json: { ...json, force: true } });
        expect(forced.status).toBe(200);
        expect((yield* call(world, "POST", `${path}/send`, { token })).body).toMatchObject({ status: "sent" });
        expect((yield* send({ replyToMessageId: id, force: true })).body).toMatchObject({ status: "sent" });
      }).pipe(Effect.scoped),
  );
});

it.live("a draft keeps where to unsubscribe in its headers [S6.2-7]", () =>
  Effect.gen(function* () {
    const { world, token } = yield* start;
    const json = { subject: "News", unsubscribe: { url: "https://y.test/u", oneClick: true } };
    const { body } = yield* call(world, "POST", "/api/drafts", { token, json });
    const kept = yield* call(world, "GET", `/api/drafts/${body.data.id}`, { token });
    expect(kept.body.data.headers).toEqual({
      "List-Unsubscribe": "<https://y.test/u>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  }).pipe(Effect.scoped),
);
