import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { checkChange, checkQuery, checkSearch } from "../../src/messages/check-messages.ts";
import { messageBatchOf } from "../../src/messages/index.ts";
import { fieldOf } from "../../src/shared/index.ts";

const DAY_OR_TIME = "must be a day as YYYY-MM-DD or a time such as 2026-01-02T03:04:05Z";

const faultsOf = <A>(
  checked: Effect.Effect<A, { readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }> }>,
) =>
  Effect.match(checked, {
    onSuccess: () => "right",
    onFailure: ({ errors }) => errors.map(({ field, message }) => `${field} ${message}`).join("; "),
  });

describe("a search", () => {
  it.effect.each<[Parameters<typeof checkSearch>[0], string]>([
    [{}, "right"],
    [{ text: "a", scope: "headers" }, "right"],
    [{ scope: "headers" }, "scope needs text or q"],
    [{ from: "x".repeat(500) }, "right"],
    [{ from: "x".repeat(501) }, "from must be at most 500 characters"],
    [{ subject: "a\nb" }, "subject must not contain control characters"],
    [{ folder: "A", folderId: "f_a" }, "folderId is given beside folder"],
    [{ folderId: "f_a" }, "right"],
    [{ since: "2026-02-28", before: "2026-03-01" }, "right"],
    [{ since: "2026-02-28T10:00:00Z", before: "2026-02-28T12:00:00.5+01:00" }, "right"],
    [{ since: "2026-13-01" }, `since ${DAY_OR_TIME}`],
    [{ since: "2026-02-31" }, `since ${DAY_OR_TIME}`],
    [{ since: "26-02-01" }, `since ${DAY_OR_TIME}`],
    [{ before: "2026-02-01T25:00:00Z" }, `before ${DAY_OR_TIME}`],
    [{ page: 0 }, "page must be a whole number from 1 to 2147483647"],
    [{ unread: "yes" }, "unread must be true or false"],
  ])("for %o is told: %s", ([search, told]) =>
    Effect.map(faultsOf(checkSearch(search)), (faults) => expect(faults.split(";")[0]).toBe(told)),
  );

  it.effect("of a batch has a criterion", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf(checkQuery({}))).toBe("folder is required, or another criterion");
      expect(yield* faultsOf(checkQuery({ folder: "A", folderId: "f_a" }))).toBe("folderId is given beside folder");
      expect(yield* faultsOf(checkQuery({ unread: false }))).toBe("right");
      expect(yield* faultsOf(checkQuery({ larger: 0 }))).toBe("right");
    }),
  );
});

it.effect("a change changes something", () =>
  Effect.gen(function* () {
    expect(yield* faultsOf(checkChange({}))).toBe(
      "unread is required, or flagged, answered, addLabels, removeLabels or folderId",
    );
    for (const change of [{ unread: false }, { flagged: true }, { answered: true }, { folderId: "f" }]) {
      expect(yield* faultsOf(checkChange(change))).toBe("right");
    }
  }),
);

describe("a batch", () => {
  const IDS = ["m1"];
  it.effect("is of messages by their ids or a query, which are changed, moved to Trash or destroyed", () =>
    Effect.gen(function* () {
      expect(yield* messageBatchOf({ ids: IDS, change: { unread: true, folderId: "f" } })).toEqual({
        messages: { _tag: "Ids", ids: IDS },
        action: { _tag: "Change", flags: { unread: true, flagged: undefined, answered: undefined }, folderId: "f" },
      });
      expect(yield* messageBatchOf({ query: { unread: true }, delete: "trash" })).toEqual({
        messages: { _tag: "Query", query: { unread: true } },
        action: { _tag: "Trash" },
      });
      expect((yield* messageBatchOf({ ids: IDS, delete: "permanent" })).action).toEqual({ _tag: "Destroy" });
    }),
  );

  it.effect.each<[Parameters<typeof messageBatchOf>[0], string]>([
    [{ delete: "trash" }, "ids is required, or query, but not both"],
    [{ ids: IDS, query: { unread: true }, delete: "trash" }, "ids is required, or query, but not both"],
    [{ ids: IDS }, "change is required, or delete, but not both"],
    [{ ids: IDS, change: { unread: true }, delete: "trash" }, "change is required, or delete, but not both"],
    [{ ids: IDS, change: {} }, "change.unread is required, or flagged, answered, addLabels, removeLabels or folderId"],
    [{ query: {}, delete: "trash" }, "query.folder is required, or another criterion"],
  ])("of %o is told: %s", ([batch, told]) =>
    Effect.map(faultsOf(Effect.catchTag(messageBatchOf(batch), "LabelInvalid", Effect.die)), (faults) =>
      expect(faults).toBe(told),
    ),
  );

  it.effect("has 1,000 ids at most", () =>
    Effect.gen(function* () {
      const of = (count: number) =>
        faultsOf(
          Effect.catchTag(
            messageBatchOf({ ids: Array.from({ length: count }, (_, n) => `m${n}`), delete: "trash" }),
            "LabelInvalid",
            Effect.die,
          ),
        );
      expect(yield* of(1_000)).toBe("right");
      expect(yield* of(1_001)).toContain("ids must have at most 1000");
    }),
  );
});

it.effect("a field is named by its path, in 200 characters at most", () =>
  Effect.sync(() => {
    expect(fieldOf(["to", 0, "address"])).toBe("to.0.address");
    expect(fieldOf([])).toBe("body");
    expect([fieldOf(["x".repeat(200)]).length, fieldOf(["x".repeat(201)]).length]).toEqual([200, 201]);
    expect(fieldOf(["x".repeat(900)]).endsWith("…")).toBe(true);
  }),
);
