import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { Folders } from "../../src/folders/index.ts";
import { completeSearch, type SearchRequest } from "../../src/messages/search/SearchRequest.ts";
import { MailboxWorld, ME } from "./mailbox-in-memory.ts";

const complete = (request: SearchRequest) =>
  Effect.flatMap(Folders, (folders) => completeSearch(folders, ME, request)).pipe(
    Effect.provide(
      new MailboxWorld([
        { id: "JUNK", messages: [] },
        { id: "Spam", role: "junk", messages: [] },
        { id: "Work/Bills", messages: [] },
      ]).layer,
    ),
  );

/** The criteria that a line can have, and those that it cannot. */
const OF_LINE = {
  from: "a",
  to: "b",
  cc: "c",
  subject: "d",
  text: "e",
  label: "f",
  since: "2026-01-02T00:00:00Z",
  before: "2026-02-03T00:00:00Z",
  unread: true,
  flagged: true,
  hasAttachments: true,
  folder: "Spam",
  terms: [{ field: "text", text: "g", isExcluded: true }],
} as const;
const LINE =
  "from:a to:b cc:c subject:d e label:f after:2026-01-02 before:2026-02-03 is:unread is:flagged has:attachment in:Spam -g";
const OTHERS = {
  messageId: "<m@x>",
  headers: "h",
  larger: 1,
  smaller: 2,
  threadId: "t",
  related: ["<r@x>"],
  scope: "all",
  order: "date",
  page: 2,
  limit: 3,
  cursor: "c",
  previews: true,
} as const;

describe("a search", () => {
  it.effect("without a line stays as it is", () =>
    Effect.gen(function* () {
      const request = { ...OF_LINE, ...OTHERS };
      expect(yield* complete(request)).toBe(request);
    }),
  );

  it.effect("has the criteria of its line as fields, and keeps all others [S5.4-9]", () =>
    Effect.gen(function* () {
      expect(yield* complete({ ...OTHERS, q: LINE })).toEqual({ ...OTHERS, q: LINE, ...OF_LINE });
      const { text: _, ...without } = OF_LINE;
      expect(yield* complete({ ...OTHERS, ...without, q: "word" })).toEqual({
        ...OTHERS,
        ...without,
        q: "word",
        text: "word",
      });
      expect(yield* complete({ q: "is:read is:unflagged", text: "e", folderId: "Spam" })).toEqual({
        q: "is:read is:unflagged",
        text: "e",
        unread: false,
        flagged: false,
        folderId: "Spam",
      });
    }),
  );

  it.effect("must not have a criterion in its line and as a field [S5.4-11]", () =>
    Effect.gen(function* () {
      const given = (request: SearchRequest) =>
        Effect.map(Effect.flip(complete({ q: LINE, ...request })), (error) =>
          "errors" in error ? error.errors : error,
        );
      const { folder: _, ...fields } = OF_LINE;
      const names = [...Object.keys(fields), "folderId"];
      expect(yield* given({ ...fields, folderId: "A", messageId: "m" })).toEqual(
        names.map((field) => ({ field, message: "is given in q, too" })),
      );
      expect(yield* given({ folder: "A" })).toEqual([{ field: "folder", message: "is given in q, too" }]);
      expect(yield* complete({ q: "word", from: undefined })).toEqual({ q: "word", text: "word" });
      expect(yield* complete({ q: "from:a", from: undefined })).toEqual({ q: "from:a", from: "a" });
    }),
  );

  it.effect("finds the folder of its line by its own name first, then by its role, then in any letter case", () =>
    Effect.gen(function* () {
      const folderOf = (name: string) => Effect.map(complete({ q: `in:${name}` }), (request) => request.folder);
      expect(yield* folderOf("JUNK")).toBe("JUNK");
      expect(yield* folderOf("Junk")).toBe("Spam");
      expect(yield* folderOf("work/BILLS")).toBe("Work/Bills");
      expect((yield* Effect.flip(folderOf("None")))._tag).toBe("FolderNotFound");
    }),
  );
});
