import { it } from "@effect/vitest";
import { type Duration, Effect, Fiber, Layer, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { type BodyPart, type HeaderField, MailServerError } from "../../src/mail/index.ts";
import {
  type EncodedBody,
  MessageLocator,
  MessageNotFound,
  MessageParser,
  MessageReader,
  Messages,
  MessageUnparsable,
  Previews,
  type UnparsedMessage,
} from "../../src/messages/index.ts";
import { AccountId, PathPrefix } from "../../src/shared/index.ts";
import { summaryWith } from "./summary.ts";

const ME = AccountId("me@x.test");
const MIB = 1024 * 1024;
const leaf = (section: string, fields: Partial<BodyPart> = {}): BodyPart => ({
  section,
  type: "text/plain",
  parameters: {},
  encoding: "7bit",
  size: 10,
  name: null,
  disposition: null,
  contentId: null,
  parts: [],
  ...fields,
});
const mixed = (...parts: ReadonlyArray<BodyPart>) => leaf("", { type: "multipart/mixed", parts });
const PDF = leaf("9", { type: "application/pdf", name: "a.pdf", disposition: "attachment", contentId: "p" });
const LOGO = leaf("8", { type: "image/png", disposition: "inline", contentId: "logo" });

describe("a message that is read", () => {
  /** A message with this structure and texts of these lengths. Records the parsed and downloaded parts. */
  const world = (
    structure: BodyPart | null,
    {
      lengths = [] as ReadonlyArray<number>,
      headers = [] as ReadonlyArray<HeaderField>,
      header = "",
      isReadable = true,
    } = {},
  ) => {
    const parsed: Array<UnparsedMessage & { readonly key: string }> = [];
    const asked: Array<unknown> = [];
    const located = {
      id: "m_now",
      folder: { id: "f", path: "A" },
      ref: { folderId: "f", uidValidity: 1, uid: 2 },
      place: { path: "A", uidValidity: 1, uid: 2 },
    };
    const layer = Messages.layer.pipe(
      Layer.provide([
        Layer.mock(MessageLocator, {
          withMessage: (_, id, use) => (id === "m_gone" ? Effect.fail(new MessageNotFound()) : use(located)),
        }),
        Layer.mock(MessageReader, {
          open: () =>
            Effect.succeed({
              summary: summaryWith({ subject: "S" }),
              structure,
              header: Uint8Array.from(header, (one) => one.charCodeAt(0)),
              readBeginnings: (sections, limit) =>
                Effect.sync(() => {
                  asked.push([sections, limit]);
                  return sections.map((_, n) => new Uint8Array(lengths[n] ?? 1));
                }),
            }),
          bytes: (_, place, wanted) =>
            Effect.sync(() => {
              asked.push(wanted === "raw" ? "raw" : wanted.section);
              return Stream.empty;
            }),
        }),
        Layer.mock(MessageParser, {
          read: (_, key, message) =>
            Effect.suspend(() => {
              parsed.push({ ...message, key });
              return isReadable
                ? Effect.succeed({ headers, text: "T", html: null, blocked: 0 })
                : new MessageUnparsable({ reason: "malformed" });
            }),
        }),
        Layer.succeed(PathPrefix, "/p"),
      ]),
    );
    const run = <A, E>(use: (messages: Messages["Service"]) => Effect.Effect<A, E>) =>
      Effect.provide(Effect.flatMap(Messages, use), layer);
    return { parsed, asked, run, read: run((messages) => messages.read(ME, "m_1")) };
  };

  it.effect("has its texts parsed, and lists its other parts as files, of which some are inline", () =>
    Effect.gen(function* () {
      const html = leaf("2", { type: "text/html", parameters: { charset: "utf-8" }, encoding: "base64" });
      const { read, parsed, asked } = world(mixed(leaf("1"), html, LOGO, PDF), {
        header: "Auto-Submitted: auto-replied\r\n\r\n",
      });
      const message = yield* read;
      expect(message).toMatchObject({
        id: "m_now",
        folder: { id: "f", path: "A" },
        truncated: false,
        automatic: true,
        inReplyTo: null,
        references: [],
      });
      const url = (section: string) => `/p/api/messages/m_now/attachments/${section}`;
      expect(message.attachments).toEqual([
        { id: "8", name: null, type: "image/png", size: 10, inline: true, contentId: "logo", url: url("8") },
        { id: "9", name: "a.pdf", type: "application/pdf", size: 10, inline: false, contentId: "p", url: url("9") },
      ]);
      expect(asked).toEqual([[["1", "2"], 2 * MIB]]);
      expect(parsed[0]).toMatchObject({ key: `${ME}/m_now`, pictures: { logo: url("8"), p: url("9") } });
      expect(parsed[0]!.bodies.map(({ type, parameters, encoding }) => [type, parameters, encoding])).toEqual([
        ["text/plain", {}, "7bit"],
        ["text/html", { charset: "utf-8" }, "base64"],
      ]);
    }),
  );

  it.effect("is truncated if a text has 2 MiB, or all together more than 8", () =>
    Effect.gen(function* () {
      const texts = (...lengths: ReadonlyArray<number>) => {
        const one = world(mixed(...lengths.map((_, n) => leaf(String(n + 1)))), { lengths });
        return Effect.map(one.read, ({ truncated }) => [truncated, one.parsed[0]!.bodies.length]);
      };
      expect(yield* texts(2 * MIB - 1)).toEqual([false, 1]);
      expect(yield* texts(2 * MIB, 1)).toEqual([true, 2]);
      const long = 2 * MIB - 1;
      expect(yield* texts(long, long, long, long, 4)).toEqual([false, 5]);
      expect(yield* texts(long, long, long, long, 5)).toEqual([true, 4]);
    }),
  );

  it.effect("is read as one text where the server could not parse it", () =>
    Effect.gen(function* () {
      for (const structure of [null, mixed()]) {
        const { read, asked, parsed } = world(structure);
        expect((yield* read).attachments).toEqual([]);
        expect(asked).toEqual([[["TEXT"], 2 * MIB]]);
        expect(parsed[0]!.bodies.map(({ type }) => type)).toEqual(["text/plain"]);
      }
    }),
  );

  it.effect("names what it answers, in angle brackets", () =>
    Effect.gen(function* () {
      const headers = [
        ["In-Reply-To", "Bob's <a@x> of <b@x>"],
        ["References", "<a@x> junk <b@x>"],
      ] as const;
      expect(yield* world(null, { headers }).read).toMatchObject({
        inReplyTo: "<a@x>",
        references: ["<a@x>", "<b@x>"],
      });
      const many = Array.from({ length: 201 }, (_, n) => `<${n}@x>`).join(" ");
      expect((yield* world(null, { headers: [["References", many]] }).read).references).toHaveLength(200);
    }),
  );

  it.effect("lists 1000 files at most", () =>
    Effect.gen(function* () {
      const files = Array.from({ length: 1_001 }, (_, n) => leaf(String(n + 2), { disposition: "attachment" }));
      const { attachments } = yield* world(mixed(leaf("1"), ...files)).read;
      expect([attachments.length, attachments.at(-1)?.id]).toEqual([1_000, "1001"]);
    }),
  );

  it.effect("that cannot be parsed is shown without its contents", () =>
    Effect.gen(function* () {
      const { read } = world(mixed(leaf("1"), PDF), { isReadable: false });
      expect(yield* read).toMatchObject({ parsed: { _tag: "Failure" }, inReplyTo: null, attachments: [{ id: "9" }] });
    }),
  );

  it.effect("is downloaded whole or by its parts, which have tags of their own", () =>
    Effect.gen(function* () {
      const { run, asked } = world(mixed(leaf("1"), PDF));
      const raw = yield* run((messages) => messages.raw(ME, "m_1"));
      expect([raw.name, raw.type, raw.tag]).toEqual(["message.eml", "message/rfc822", "m_now"]);
      const part = yield* run((messages) => messages.attachment(ME, "m_1", "9"));
      expect([part.name, part.type, part.tag]).toEqual(["a.pdf", "application/pdf", "m_now.9"]);
      expect(asked).toEqual(["raw", "9"]);
      const tagOf = (section: string, id = "m_1") =>
        Effect.map(Effect.flip(run((messages) => messages.attachment(ME, id, section))), ({ _tag }) => _tag);
      expect([yield* tagOf("7"), yield* tagOf("9", "m_gone")]).toEqual(["AttachmentNotFound", "MessageNotFound"]);
      const unparsed = world(null).run((messages) => messages.attachment(ME, "m_1", "1"));
      expect((yield* Effect.flip(unparsed))._tag).toBe("AttachmentNotFound");
    }),
  );
});

const DOWN = Effect.fail(new MailServerError({ reason: "unreachable", operation: "fetch", detail: "gone" }));

describe("previews", () => {
  /** Texts by UID, plain and HTML; null if the message has no such text. */
  const world = (texts: ReadonlyMap<number, { readonly plain: string | null; readonly html?: string | null }>) => {
    const asked: Array<string> = [];
    const bodies = new Map<EncodedBody, string>();
    const state: { isDown: boolean; takes: Duration.Input; parses: Duration.Input } = {
      isDown: false,
      takes: 0,
      parses: 0,
    };
    const layer = Previews.layer.pipe(
      Layer.provide([
        Layer.mock(MessageReader, {
          readPreviewTexts: (_, mailboxes, kind) =>
            Effect.suspend(() => {
              asked.push(`${mailboxes.map(({ path, uids }) => `${path} ${uids.join()}`).join(" ")} ${kind}`);
              if (state.isDown) return DOWN;
              const answer = Effect.succeed(
                mailboxes.map(
                  ({ uids }) =>
                    new Map<number, EncodedBody | null>(
                      uids.flatMap((uid): ReadonlyArray<readonly [number, EncodedBody | null]> => {
                        const text = texts.get(uid)?.[kind === "html" ? "html" : "plain"];
                        if (text === undefined) return [];
                        if (text === null) return [[uid, null] as const];
                        const body = {
                          group: 0,
                          type: "text/plain",
                          parameters: {},
                          encoding: "",
                          bytes: new Uint8Array(),
                        } as const;
                        const own = { ...body };
                        bodies.set(own, text);
                        return [[uid, own] as const];
                      }),
                    ),
                ),
              );
              return Effect.delay(answer, state.takes);
            }),
        }),
        Layer.mock(MessageParser, {
          previews: (_, some) =>
            Effect.delay(
              Effect.sync(() => some.map((one) => bodies.get(one) ?? "")),
              state.parses,
            ),
        }),
        Layer.mock(AccountDirectory, { find: () => Effect.succeed(Option.none()) }),
      ]),
    );
    return { layer, asked, state };
  };
  const entry = (uid: number, path = "A") => ({
    id: `${path} ${uid}`,
    path,
    uidValidity: 1,
    message: summaryWith({ uid }),
  });

  it.effect("are fetched once for all mailboxes; after a failure, the list has no previews", () =>
    Effect.gen(function* () {
      const { layer, asked, state } = world(
        new Map([
          [1, { plain: "One" }],
          [2, { plain: null }],
          [4, { plain: "", html: "Rich" }],
        ]),
      );
      yield* Effect.gen(function* () {
        const previews = yield* Previews;
        const first = yield* previews.of(ME, [entry(1), entry(2), entry(3), entry(1, "B")]);
        expect([...first]).toEqual([
          ["A 1", "One"],
          ["A 2", null],
          ["B 1", "One"],
        ]);
        // If the plain text of a message has no content, its HTML may have some.
        expect(asked).toEqual(["A 1,2,3 B 1 plain", "A 2 html"]);
        expect([...(yield* previews.of(ME, [entry(2), entry(1)]))]).toEqual([
          ["A 2", null],
          ["A 1", "One"],
        ]);
        expect(asked).toHaveLength(2);
        expect([...(yield* previews.of(ME, [entry(4)]))]).toEqual([["A 4", "Rich"]]);
        state.isDown = true;
        expect([...(yield* previews.of(ME, [entry(1), entry(9)]))]).toEqual([["A 1", "One"]]);
      }).pipe(Effect.provide(layer));
    }),
  );

  it.effect("that take longer than 300 ms are in a later listing, fetched once [S12.3-10]", () =>
    Effect.gen(function* () {
      const { layer, asked, state } = world(new Map([[1, { plain: "One" }]]));
      yield* Effect.gen(function* () {
        const previews = yield* Previews;
        yield* previews.of(ME, [entry(1)]);
        state.takes = "5 seconds";
        const listing = yield* Effect.forkChild(previews.of(ME, [entry(1), entry(1, "B")]));
        yield* TestClock.adjust("299 millis");
        expect(listing.pollUnsafe()).toBeUndefined();
        yield* TestClock.adjust("1 millis");
        expect([...(yield* Fiber.join(listing))]).toEqual([["A 1", "One"]]);
        const again = yield* Effect.forkChild(previews.of(ME, [entry(1, "B")]));
        yield* TestClock.adjust("300 millis");
        expect((yield* Fiber.join(again)).size).toBe(0);
        yield* TestClock.adjust("5 seconds");
        expect([...(yield* previews.of(ME, [entry(1, "B")]))]).toEqual([["B 1", "One"]]);
        expect(asked).toEqual(["A 1 plain", "B 1 plain"]);
      }).pipe(Effect.provide(layer));
    }),
  );

  it.effect("whose texts are fetched may take another second [S12.3-10]", () =>
    Effect.gen(function* () {
      const { layer, state } = world(new Map([[1, { plain: "One" }]]));
      Object.assign(state, { takes: "299 millis", parses: "2 seconds" });
      yield* Effect.gen(function* () {
        const previews = yield* Previews;
        const listing = yield* Effect.forkChild(previews.of(ME, [entry(1)]));
        yield* TestClock.adjust("1298 millis");
        expect(listing.pollUnsafe()).toBeUndefined();
        yield* TestClock.adjust("1 millis");
        expect((yield* Fiber.join(listing)).size).toBe(0);
        yield* TestClock.adjust("1 second");
        Object.assign(state, { takes: 0, parses: "999 millis" });
        const other = yield* Effect.forkChild(previews.of(ME, [entry(1, "B")]));
        yield* TestClock.adjust("999 millis");
        expect([...(yield* Fiber.join(other))]).toEqual([["B 1", "One"]]);
      }).pipe(Effect.provide(layer));
    }),
  );

  it.effect("of an account are kept up to 500, the oldest forgotten first", () =>
    Effect.gen(function* () {
      const uids = Array.from({ length: 501 }, (_, n) => n + 1);
      const { layer, asked } = world(new Map(uids.map((uid) => [uid, { plain: "T" }])));
      yield* Effect.gen(function* () {
        const previews = yield* Previews;
        expect(
          (yield* previews.of(
            ME,
            uids.map((uid) => entry(uid)),
          )).size,
        ).toBe(501);
        yield* previews.of(ME, [entry(501), entry(2)]);
        expect(asked).toHaveLength(1);
        yield* previews.of(ME, [entry(1)]);
        expect(asked.at(-1)).toBe("A 1 plain");
      }).pipe(Effect.provide(layer));
    }),
  );
});
