import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");
const URL_OF_LIST = "https://lists.postern.test/off?u=42";

const letter = (extra: string) =>
  "Authentication-Results: mx.postern.test; dkim=pass header.d=news.test\r\n" +
  "DKIM-Signature: v=1; d=news.test; s=s1; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=NDU2\r\n" +
  `From: News <n@news.test>\r\nSubject: News\r\n${extra}\r\nText\r\n`;

const ONE_CLICK = letter(
  `List-Unsubscribe: <mailto:wrong@news.test>, <${URL_OF_LIST}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`,
);

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  return { world, token };
});

/** Lets a message arrive, and asks to leave its list. */
const leave = Effect.fnUntraced(function* (world: Harness, token: string, raw: string) {
  world.mail
    .account(DEMO)
    .mailbox("INBOX")
    .append(Buffer.from(raw), Date.UTC(2026, 0, 1));
  const { id } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body.emails[0];
  const read = (yield* call(world, "GET", `/api/messages/${id}`, { token })).body.data;
  const answer = yield* call(world, "POST", `/api/messages/${id}/unsubscribe`, { token });
  return { read, answer };
});

const sent = (world: Harness, token: string) =>
  Effect.map(call(world, "GET", "/api/outbox", { token }), ({ body }) => body.data as ReadonlyArray<object>);

describe("POST /api/messages/{id}/unsubscribe", () => {
  it.live("posts to the list, with nothing about the mailbox, and sends no mail [S5.8-1] [S5.8-3]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      const posts: Array<{ readonly headers: object; readonly body: Uint8Array }> = [];
      world.receivers.set(URL_OF_LIST, { reply: (post) => (posts.push(post), { status: 202 }) });
      const { read, answer } = yield* leave(world, token, ONE_CLICK);
      expect(read.unsubscribe).toEqual({ method: "one_click", url: URL_OF_LIST });
      expect(answer).toMatchObject({ status: 200, body: { ok: true, data: read.unsubscribe } });
      expect(posts).toHaveLength(1);
      expect(new TextDecoder().decode(posts[0]!.body)).toBe("List-Unsubscribe=One-Click");
      expect(posts[0]!.headers).toEqual({
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "Postern",
      });
      expect(yield* sent(world, token)).toEqual([]);
      const audited = yield* call(world, "GET", "/api/audit?operation=answers.unsubscribe", { token });
      expect(audited.body.data).toMatchObject([{ target: read.id }]);
    }).pipe(Effect.scoped),
  );

  it.live("reports that the list refused the request: a redirect is not followed [S5.8-3]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      world.receivers.set(URL_OF_LIST, { reply: () => ({ status: 302 }) });
      const { answer } = yield* leave(world, token, ONE_CLICK);
      expect(answer).toMatchObject({ status: 502, body: { code: "unsubscribe_failed", url: URL_OF_LIST } });
      expect(answer.body.detail).toContain("status 302");
    }).pipe(Effect.scoped),
  );

  it.live("sends the mail that the message asks for [S5.8-4]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      const url = "mailto:leave@news.test?subject=leave%2042&cc=other@news.test";
      const { answer } = yield* leave(world, token, letter(`List-Unsubscribe: <${url}>\r\n`));
      expect(answer).toMatchObject({ status: 200, body: { data: { method: "mailto", url } } });
      expect(yield* sent(world, token)).toMatchObject([{ subject: "leave 42", to: ["leave@news.test"], cc: [] }]);
    }).pipe(Effect.scoped),
  );

  it.live("leaves a link to the user, and refuses a message without a list [S5.8-1] [S5.8-5]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      const { answer } = yield* leave(world, token, letter(`List-Unsubscribe: <${URL_OF_LIST}>\r\n`));
      expect(answer).toMatchObject({ status: 200, body: { data: { method: "link", url: URL_OF_LIST } } });
      const none = yield* leave(world, token, letter(""));
      expect(none.read.unsubscribe).toBeNull();
      expect(none.answer).toMatchObject({ status: 409, body: { code: "unsubscribe_not_offered" } });
      expect(yield* sent(world, token)).toEqual([]);
    }).pipe(Effect.scoped),
  );
});
