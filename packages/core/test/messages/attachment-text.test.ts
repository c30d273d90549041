import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import type { BodyPart } from "../../src/mail/index.ts";
import {
  MessageLocator,
  MessageParser,
  MessageReader,
  Messages,
  MessageUnparsable,
  type UnparsedMessage,
} from "../../src/messages/index.ts";
import { PathPrefix } from "../../src/shared/index.ts";
import { ME } from "./mailbox-in-memory.ts";
import { summaryWith } from "./summary.ts";

const MIB = 1024 * 1024;
const leaf = (section: string, type: string): BodyPart => ({
  section,
  type,
  parameters: {},
  encoding: "7bit",
  size: 10,
  name: `${section}.x`,
  disposition: "attachment",
  contentId: null,
  parts: [],
});
const MIXED = { ...leaf("", "multipart/mixed"), parts: [leaf("1", "text/plain"), leaf("2", "image/png")] };

/** Reads the text of a file whose beginning has this length. */
const textOf = (section: string, { length = 3, structure = MIXED as BodyPart | null, isReadable = true } = {}) => {
  const [asked, parsed]: [Array<unknown>, Array<UnparsedMessage & { key: string }>] = [[], []];
  const place = { path: "A", uidValidity: 1, uid: 2 };
  const located = {
    id: "m_now",
    folder: { id: "f", path: "A" },
    ref: { folderId: "f", uidValidity: 1, uid: 2 },
    place,
  };
  const layer = Messages.layer.pipe(
    Layer.provide([
      Layer.mock(MessageLocator, { withMessage: (_, __, use) => use(located) }),
      Layer.mock(MessageReader, {
        open: () =>
          Effect.succeed({
            summary: summaryWith(),
            structure,
            header: new Uint8Array(),
            readBeginnings: (sections, limit) =>
              Effect.sync(() => (asked.push([sections, limit]), sections.map(() => new Uint8Array(length)))),
          }),
      }),
      Layer.mock(MessageParser, {
        read: (_, key, message) =>
          Effect.suspend(() => {
            parsed.push({ ...message, key });
            return isReadable
              ? Effect.succeed({ headers: [], text: "T", html: null, blocked: 0, visible: "V" as never })
              : new MessageUnparsable({ reason: "malformed" });
          }),
      }),
      Layer.succeed(PathPrefix, ""),
    ]),
  );
  return Effect.gen(function* () {
    const answer = yield* Effect.result((yield* Messages).attachmentText(ME, "m_1", section));
    return { answer: answer._tag === "Success" ? answer.success : answer.failure._tag, asked, parsed };
  }).pipe(Effect.provide(layer));
};

describe("the text of a file", () => {
  it.effect("is read from its first 2 MiB, and truncated if it has as many", () =>
    Effect.gen(function* () {
      const { answer, asked, parsed } = yield* textOf("1", { length: 2 * MIB - 1 });
      expect(answer).toEqual({ name: "1.x", type: "text/plain", size: 10, text: "V", truncated: false });
      expect(asked).toEqual([[["1"], 2 * MIB]]);
      expect(parsed).toMatchObject([{ key: `${ME}/m_now/1`, pictures: {}, withVisibleText: true }]);
      expect(parsed[0]!.bodies.map(({ group, type }) => [group, type])).toEqual([[0, "text/plain"]]);
      expect((yield* textOf("1", { length: 2 * MIB })).answer).toMatchObject({ truncated: true });
    }),
  );

  it.effect("is missing for a file of another type, and for one that cannot be read", () =>
    Effect.gen(function* () {
      const picture = { name: "2.x", type: "image/png", size: 10, text: null, truncated: false };
      expect(yield* textOf("2")).toEqual({ answer: picture, asked: [], parsed: [] });
      expect((yield* textOf("1", { isReadable: false })).answer).toMatchObject({ type: "text/plain", text: null });
    }),
  );

  it.effect("is not found in a part that the message does not have", () =>
    Effect.gen(function* () {
      expect((yield* textOf("3")).answer).toBe("AttachmentNotFound");
      expect((yield* textOf("1", { structure: null })).answer).toBe("AttachmentNotFound");
    }),
  );
});
