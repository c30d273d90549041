import { type Harness, harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { describe, it } from "@effect/vitest";

const MIB = 1024 * 1024;

/** Files of 25 MiB take long on a busy machine. */
const live = (name: string, test: Effect.Effect<void, never, never>) => it.live(name, () => test, 60_000);

/** Sends a form or another body; returns the answer. */
const upload = Effect.fnUntraced(function* (
  world: Harness,
  token: string | undefined,
  body: RequestInit["body"],
  headers: Readonly<Record<string, string>> = {},
) {
  // Encoded beforehand: Node fails if the server does not read the rest of a streamed form.
  const form = body instanceof FormData ? new Response(body) : undefined;
  const type = form?.headers.get("content-type");
  const response = yield* world.request(
    new Request(new URL("/api/uploads", HARNESS_URL), {
      method: "POST",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(typeof type === "string" ? { "content-type": type } : {}),
        ...headers,
      },
      body: form === undefined ? body : yield* Effect.promise(() => form.arrayBuffer()),
      duplex: "half",
    } as RequestInit),
  );
  return { status: response.status, body: yield* Effect.promise((): Promise<any> => response.json()) };
});

const formOf = (
  ...files: ReadonlyArray<readonly [field: string, contents: string | Uint8Array, name: string, type?: string]>
) => {
  const form = new FormData();
  for (const [field, contents, name, type = "text/plain"] of files) {
    form.append(field, new Blob([contents as Uint8Array<ArrayBuffer>], { type }), name);
  }
  return form;
};

/** A form written by hand, for forms that no browser sends. */
const written = (disposition: string, contents = "hello", end = "\r\n--b--\r\n") =>
  [
    `--b\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\n${contents}${end}`,
    "multipart/form-data; boundary=b",
  ] as const;

const begin = Effect.gen(function* () {
  const world = yield* harness;
  const token = (yield* signIn(world)).body.token as string;
  const send = (json: unknown) => call(world, "POST", "/api/send", { token, json });
  return { world, token, send };
});

const MAIL = { to: "friend@postern.test", subject: "with a file", text: "see there" };

describe("an upload", () => {
  live(
    "returns an object for attachments, and arrives in the other demo account [S6.1-1]",
    Effect.gen(function* () {
      const { world, token, send } = yield* begin;
      const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => (n * 7) % 251);
      const { status, body } = yield* upload(
        world,
        token,
        formOf(["file", bytes, "Übersicht ✓.bin", "application/x-thing"]),
      );
      expect([status, body.ok]).toEqual([200, true]);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^up_/),
        name: "Übersicht ✓.bin",
        url: `/api/uploads/${body.data.id}`,
        type: "application/x-thing",
        size: 300_000,
      });
      for (const attachment of [body.data, { id: body.data.id }]) {
        expect((yield* send({ ...MAIL, attachments: [attachment] })).body.status).toBe("sent");
      }
      const friend = (yield* signIn(world, "demo", "friend@postern.test")).body.token as string;
      const inbox = yield* call(world, "GET", "/api/inbox?limit=2", { token: friend });
      for (const entry of inbox.body.emails) {
        expect(entry.attachments).toMatchObject([{ name: "Übersicht ✓.bin", type: "application/x-thing" }]);
      }
    }).pipe(Effect.scoped),
  );

  live(
    "is kept once for each Idempotency-Key, which is for one name, type and contents [S2.6-3] [S2.6-6]",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const put = (contents: string, name = "a.txt", type = "text/plain") =>
        upload(world, token, formOf(["file", contents, name, type]), { "idempotency-key": "k" });
      const all = yield* Effect.all([put("same"), put("same"), put("same")], { concurrency: "unbounded" });
      const kept = all.filter(({ status }) => status === 200);
      expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
      for (const { body } of [...kept, yield* put("same")]) expect(body.data).toEqual(kept[0]!.body.data);
      for (const other of [yield* put("else"), yield* put("same", "b.txt"), yield* put("same", "a.txt", "text/csv")]) {
        expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
      }
      const { id } = kept[0]!.body.data;
      expect(
        (yield* call(world, "POST", "/api/send", { token, json: { ...MAIL, attachments: [{ id }] } })).status,
      ).toBe(200);
    }).pipe(Effect.scoped),
  );

  live(
    "has a name that can be sent, derived from the given one",
    Effect.gen(function* () {
      const { world, token, send } = yield* begin;
      for (const [given, name] of [
        ["../../etc/passwd", "passwd"],
        ["C:\\Users\\me\\a b.txt", "a b.txt"],
        ["naïve “quotes”.txt", "naïve “quotes”.txt"],
        ['say "hi".txt', 'say "hi".txt'],
        ["two\r\nX-Evil: lines.txt", "twoX-Evil: lines.txt"],
        ["..", "file"],
        [`${"長".repeat(300)}.jpeg`, `${"長".repeat(250)}.jpeg`],
      ] as const) {
        const { status, body } = yield* upload(world, token, formOf(["file", "x", given]));
        expect([status, body.data?.name]).toEqual([200, name]);
        expect((yield* send({ ...MAIL, attachments: [body.data] })).status).toBe(200);
      }
      const [body, type] = written(`form-data; name="file"; filename*=UTF-8''n%C3%B6te.txt`);
      const starred = yield* upload(world, token, body, { "content-type": type });
      expect([starred.status, starred.body.data?.name]).toEqual([200, "nöte.txt"]);
    }).pipe(Effect.scoped),
  );

  live(
    "may be empty",
    Effect.gen(function* () {
      const { world, token, send } = yield* begin;
      const { status, body } = yield* upload(world, token, formOf(["file", "", "empty.dat", ""]));
      expect([status, body.data?.size, body.data?.type]).toEqual([200, 0, "application/octet-stream"]);
      expect((yield* send({ ...MAIL, attachments: [body.data] })).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  live(
    "is the only field of its form: another before or after it is 400 naming that field",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const [before, after] = [new FormData(), formOf(["file", "x", "a.txt"])];
      for (const form of [before, after]) form.append("comment", "unknown");
      before.append("file", new Blob([]), "a.txt");
      for (const form of [before, after]) {
        const { status, body } = yield* upload(world, token, form);
        expect([status, body.errors]).toEqual([400, [{ field: "comment", message: "is not a field of this request" }]]);
      }
      expect(yield* world.uploads).toBe(0);
    }).pipe(Effect.scoped),
  );

  live(
    "is 400 without a file, with two files, with another field or with an incomplete form",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const fields = new FormData();
      fields.append("file", "text that is no file");
      const forms: ReadonlyArray<readonly [RequestInit["body"], string?]> = [
        [new FormData()],
        [fields],
        [formOf(["document", "x", "a.txt"])],
        [formOf(["file", "x", "a.txt"], ["file", "y", "b.txt"])],
        [formOf(["file", "x", "a.txt"], ["other", "y", "b.txt"])],
        written('form-data; name="file"; filename=""'),
        written('form-data; name="file"; filename="a.txt"', "cut o", ""),
        written('form-data; filename="a.txt"'),
        ["nonsense", "multipart/form-data; boundary=b"],
        ["", "multipart/form-data; boundary=b"],
        ["nonsense", "multipart/form-data"],
      ];
      for (const [body, type] of forms) {
        const answer = yield* upload(world, token, body, type === undefined ? {} : { "content-type": type });
        expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
          400,
          "invalid_request",
          "file",
        ]);
      }
      expect(yield* world.uploads).toBe(0);
    }).pipe(Effect.scoped),
  );

  live(
    "is 413 above 25 MiB, naming the limit [S6.4-20]",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      for (const [size, status] of [
        [25 * MIB, 200],
        [25 * MIB + 1, 413],
        [27 * MIB, 413],
      ] as const) {
        const answer = yield* upload(world, token, formOf(["file", new Uint8Array(size), "big.bin"]));
        expect(answer.status).toBe(status);
        if (status === 413) expect(answer.body).toMatchObject({ code: "payload_too_large", detail: /26214400/ });
      }
      expect(yield* world.uploads).toBe(1);
    }).pipe(Effect.scoped),
  );

  live(
    "is 415 for another media type, 401 without a session, and 403 from pages of other sites",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const json = yield* upload(world, token, "{}", { "content-type": "application/json" });
      expect([json.status, json.body.code, json.body.detail]).toEqual([
        415,
        "unsupported_media_type",
        expect.stringContaining("multipart/form-data"),
      ]);
      expect((yield* upload(world, token, new Uint8Array(3))).status).toBe(415);
      expect((yield* upload(world, undefined, formOf(["file", "x", "a.txt"]))).status).toBe(401);

      const web = yield* call(world, "POST", "/api/auth/login", {
        json: { email: "demo@postern.test", password: "demo" },
      });
      const cookie = web.headers.get("set-cookie")!.split(";", 1)[0]!;
      for (const [headers, status] of [
        [{ "sec-fetch-site": "same-origin" }, 200],
        [{ origin: HARNESS_URL.origin }, 200],
        [{ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
        [{}, 403],
      ] as const) {
        const answer = yield* upload(world, undefined, formOf(["file", "x", "a.txt"]), { cookie, ...headers });
        expect(answer.status).toBe(status);
      }
    }).pipe(Effect.scoped),
  );

  live(
    "can be used by its account only, for 24 hours or as long as a scheduled message needs it [S6.1-2] [S6.1-5]",
    Effect.gen(function* () {
      const { world, token, send } = yield* begin;
      const file = (yield* upload(world, token, formOf(["file", "later", "later.txt"]))).body.data;
      const unused = (yield* upload(world, token, formOf(["file", "unused", "unused.txt"]))).body.data;
      const other = (yield* signIn(world, "demo", "friend@postern.test")).body.token as string;
      const foreign = yield* call(world, "POST", "/api/send", { token: other, json: { ...MAIL, attachments: [file] } });
      expect([foreign.status, foreign.body.errors[0].field]).toEqual([400, "attachments.0"]);
      const elsewhere = yield* send({ ...MAIL, attachments: [{ ...file, url: unused.url }] });
      expect(elsewhere.body.errors).toEqual(foreign.body.errors);
      const sendAt = new Date(Date.UTC(2026, 0, 4)).toISOString();
      const scheduled = yield* send({ ...MAIL, sendAt, attachments: [file] });
      expect([scheduled.status, scheduled.body.status]).toEqual([200, "scheduled"]);
      yield* world.pass("25 hours");
      const fresh = (yield* signIn(world)).body.token as string;
      const sendWith = (attachment: unknown) =>
        call(world, "POST", "/api/send", { token: fresh, json: { ...MAIL, attachments: [attachment] } });
      expect((yield* sendWith(file)).body.status).toBe("sent");
      const expired = yield* sendWith(unused);
      expect([expired.status, JSON.stringify(expired.body.errors)]).toEqual([400, JSON.stringify(foreign.body.errors)]);
      yield* world.sweep;
      expect(yield* world.uploads).toBe(1);
      yield* world.pass("3 days");
      const friend = (yield* signIn(world, "demo", "friend@postern.test")).body.token as string;
      const inbox = yield* call(world, "GET", "/api/inbox?limit=1", { token: friend });
      expect(inbox.body.emails[0].attachments).toMatchObject([{ name: "later.txt" }]);
      yield* world.sweep;
      expect(yield* world.uploads).toBe(0);
    }).pipe(Effect.scoped),
  );

  live(
    "is read back by its account alone, as a download, as a whole or in part, until it expires [S6.1-7]",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const { data } = (yield* upload(world, token, formOf(["file", "<b>hi</b>", "ä.html", "text/html"]))).body;
      const picture = (yield* upload(world, token, formOf(["file", "png", "p.png", "image/png"]))).body.data;
      const read = Effect.fnUntraced(function* (
        url: string,
        by: string,
        headers: Readonly<Record<string, string>> = {},
      ) {
        const answer = yield* world.request(
          new Request(new URL(url, HARNESS_URL), { headers: { authorization: `Bearer ${by}`, ...headers } }),
        );
        return { status: answer.status, headers: answer.headers, text: yield* Effect.promise(() => answer.text()) };
      });
      const whole = yield* read(data.url, token);
      expect([whole.status, whole.text]).toEqual([200, "<b>hi</b>"]);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=\"_.html\"; filename*=UTF-8''%C3%A4.html",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      expect((yield* read(picture.url, token)).headers.get("content-type")).toBe("image/png");
      const part = yield* read(data.url, token, { range: "bytes=3-4" });
      expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "hi", "bytes 3-4/9"]);
      expect((yield* read(data.url, token, { range: "bytes=9-" })).status).toBe(416);
      const other = (yield* signIn(world, "demo", "friend@postern.test")).body.token as string;
      for (const [url, by] of [
        [data.url, other],
        ["/api/uploads/up_unknown", token],
        ["/api/uploads/..%2Fx", token],
      ]) {
        expect(yield* read(url, by), url).toMatchObject({
          status: 404,
          text: expect.stringContaining("upload_not_found"),
        });
      }
      yield* world.pass("25 hours");
      const later = (yield* signIn(world)).body.token as string;
      expect((yield* read(data.url, later)).status).toBe(404);
    }).pipe(Effect.scoped),
  );

  live(
    "is erased with its account, contents included",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      expect((yield* upload(world, token, formOf(["file", "x", "a.txt"]))).status).toBe(200);
      expect(yield* world.uploads).toBe(1);
      expect((yield* call(world, "DELETE", "/api/account", { token })).status).toBe(200);
      expect(yield* world.uploads).toBe(0);
    }).pipe(Effect.scoped),
  );

  live(
    "leaves nothing if the client disconnects in the middle",
    Effect.gen(function* () {
      const { world, token } = yield* begin;
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(head + "x".repeat(100_000))),
        pull: (controller) => controller.error(new Error("gone")),
      });
      const answer = yield* upload(world, token, body, { "content-type": "multipart/form-data; boundary=b" });
      expect(answer.status).toBe(400);
      expect(yield* world.uploads).toBe(0);
    }).pipe(Effect.scoped),
  );
});
