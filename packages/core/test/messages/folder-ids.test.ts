import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { type Folder, Folders } from "../../src/folders/index.ts";
import { Inbox, Search } from "../../src/messages/index.ts";
import { MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

/** A folder that has the id `A` and the name `Work`, as stored or only in a current listing. */
const world = (isStored: boolean) => {
  const mail = new MailboxWorld([{ id: "A", messages: [stored(1, { subject: "bill" })] }]);
  const [folder] = mail.listed;
  const named = Layer.mock(Folders, {
    findStored: (_, wanted) =>
      Effect.succeed(
        isStored && (wanted === "A" || wanted === "Work")
          ? Option.some({ id: "A", key: "A", path: "A", uidValidity: 1 })
          : Option.none(),
      ),
    resolve: () => Effect.succeed({ ...folder, name: "Work" } as Folder),
  });
  const layer = Layer.mergeAll(Inbox.layer, Search.layer).pipe(Layer.provide(named), Layer.provide(mail.layer));
  const pathOf = (
    found: Effect.Effect<{ readonly path: string } | null | undefined, { readonly _tag: string }, Inbox | Search>,
  ) => Effect.provide(Effect.match(found, { onFailure: ({ _tag }) => _tag, onSuccess: (one) => one?.path }), layer);
  return (request: { readonly folder?: string; readonly folderId?: string }) =>
    Effect.all([
      pathOf(
        Effect.map(
          Effect.flatMap(Inbox, ({ list }) => list(ME, request)),
          ({ page }) => page.folder,
        ),
      ),
      pathOf(
        Effect.map(
          Effect.flatMap(Search, ({ list }) => list(ME, { ...request, subject: "bill" })),
          ({ folder }) => folder,
        ),
      ),
      pathOf(
        Effect.map(
          Effect.flatMap(Search, ({ ids }) => ids(ME, { ...request, subject: "bill" })),
          ([id]) => (id === undefined ? null : { path: `${JSON.parse(id)[1]}` }),
        ),
      ),
    ]);
};

describe.each([true, false])("a folder that is stored: %s", (isStored) => {
  it.effect("is found by its id as a folder or a folderId, and by its name only as a folder", () =>
    Effect.gen(function* () {
      const ask = world(isStored);
      expect(yield* ask({ folder: "A" })).toEqual(["A", "A", "A"]);
      expect(yield* ask({ folder: "Work" })).toEqual(["A", "A", "A"]);
      expect(yield* ask({ folderId: "A" })).toEqual(["A", "A", "A"]);
      expect(yield* ask({ folderId: "Work" })).toEqual(Array(3).fill("FolderNotFound"));
    }),
  );
});

it.effect("a search with a parameter that is too long is refused", () =>
  Effect.gen(function* () {
    const mail = new MailboxWorld([{ id: "A", messages: [] }]);
    const search = Effect.flatMap(Search, ({ list }) => list(ME, { from: "x".repeat(501) })).pipe(
      Effect.provide(Search.layer.pipe(Layer.provide(mail.layer))),
    );
    expect(yield* Effect.flip(search)).toMatchObject({ _tag: "InputInvalid", errors: [{ field: "from" }] });
    expect(mail.log).toEqual([]);
  }),
);
