import { it } from "@effect/vitest";
import { Duration, Effect, Layer, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Creations } from "../../src/creations/index.ts";
import { MAX_ATTACHMENT_BYTES } from "../../src/rules.ts";
import { type Upload, UploadContents, UploadRecords, Uploads } from "../../src/send/index.ts";
import { attachmentsOf, uploadStore } from "../../src/send/uploads/attachments.ts";
import type { AttachmentRequest } from "../../src/send/SendRequest.ts";
import { AccountId, Digest, Entropy, StoreUnavailable, Transaction } from "../../src/shared/index.ts";
import { numberedIds } from "../doubles.ts";

const ME = AccountId("me@x.test");
const NOW = 1_900_000_000_000;
const DAY = Duration.toMillis("1 day");

/** Uploads of an account, and their bytes. */
const world = (
  known: ReadonlyArray<Upload & { readonly isPinned: boolean }> = [],
  retired: ReadonlyArray<ReadonlyArray<string>> = [],
) => {
  const state = {
    complete: true,
    log: [] as Array<string>,
    slices: [...retired],
    /** The reply to the next commit is lost. */
    isCommitLost: false,
    created: undefined as string | undefined,
  };
  const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
  const begun = new Map<string, Omit<Upload, "size">>();
  const kept = new Map(known.map((one) => [one.id, one]));
  const note = (text: string) => Effect.sync(() => void state.log.push(text));
  const layer = Layer.provideMerge(
    Uploads.layer,
    Layer.mergeAll(
      Layer.mock(UploadRecords, {
        begin: (upload) => {
          begun.set(upload.id, upload);
          return note(`begin ${upload.name} ${upload.type} ${upload.createdAt - NOW}`);
        },
        complete: (id, size) => {
          if (state.complete) kept.set(id, { ...begun.get(id)!, size, isPinned: false });
          return Effect.as(note(`complete ${size}`), state.complete);
        },
        find: (_, id) => Effect.sync(() => Option.fromUndefinedOr(kept.get(id))),
        remove: (ids) => note(`forget ${ids.length}`),
        retire: (expired, abandoned, limit) =>
          Effect.as(note(`retire ${NOW - expired} ${NOW - abandoned} ${limit}`), state.slices.shift() ?? []),
      }),
      Layer.mock(UploadContents, {
        write: (_, bytes) =>
          Stream.runFold(
            bytes,
            () => 0,
            (sum, part) => sum + part.length,
          ),
        read: () => Stream.make(new Uint8Array(3)),
        remove: () => note("remove"),
      }),
      Layer.succeed(Entropy, entropy),
      Layer.succeed(Transaction, {
        run: (effect) =>
          Effect.tap(effect, () => (state.isCommitLost ? new StoreUnavailable({ detail: "lost" }) : Effect.void)),
      }),
      Layer.mock(Creations, {
        once: (_, __, create, find) => {
          const complete = (id: string) => Effect.sync(() => void (state.created = id));
          const claim = { begin: () => Effect.void, complete };
          return state.created === undefined
            ? create(claim)
            : Effect.map(find(state.created, claim), Option.getOrThrow);
        },
      }),
      Layer.mock(Digest, { sha256: () => Effect.succeed("hash") }),
    ),
  );
  const run = <A, E>(use: (uploads: Uploads["Service"]) => Effect.Effect<A, E>) =>
    TestClock.setTime(NOW).pipe(Effect.andThen(Effect.flatMap(Uploads, use)), Effect.provide(layer));
  const receive = (...sizes: ReadonlyArray<number>) =>
    run((uploads) =>
      uploads.receive(ME, {
        name: "dir/a.pdf",
        type: "application/pdf",
        bytes: Stream.fromIterable(sizes.map((size) => new Uint8Array(size))),
      }),
    );
  const attach = (...attachments: ReadonlyArray<AttachmentRequest>) =>
    Effect.flatMap(uploadStore, (store) => attachmentsOf(store, ME, { attachments }, NOW)).pipe(
      (found) => Effect.andThen(TestClock.setTime(NOW), found),
      Effect.provide(layer),
    );
  return { state, run, receive, attach };
};
const upload = (id: string, age: number, isPinned = false) => ({
  id,
  account: ME,
  name: "a.pdf",
  type: "application/pdf",
  size: 5,
  createdAt: NOW - age,
  isPinned,
});

describe("a file", () => {
  it.effect("is received as a stream of 25 MiB at most; nothing of a failed one is kept", () =>
    Effect.gen(function* () {
      const { state, receive } = world();
      const received = yield* receive(3, 4);
      expect(received).toMatchObject({ account: ME, name: "a.pdf", type: "application/pdf", size: 7, createdAt: NOW });
      expect(received.id).toMatch(/^up_./);
      expect(state.log).toEqual(["begin a.pdf application/pdf 0", "complete 7"]);
      expect((yield* receive(MAX_ATTACHMENT_BYTES - 1, 1)).size).toBe(MAX_ATTACHMENT_BYTES);
      state.log = [];
      expect((yield* Effect.flip(receive(MAX_ATTACHMENT_BYTES, 1)))._tag).toBe("UploadTooLarge");
      expect(state.log.slice(1)).toEqual(["remove", "forget 1"]);
      state.complete = false;
      state.log = [];
      expect((yield* Effect.flip(receive(1)))._tag).toBe("StoreUnavailable");
      expect(state.log.slice(1)).toEqual(["complete 1", "remove", "forget 1"]);
    }),
  );

  it.effect("is kept if the reply to its commit is lost, so that a repeated request returns it [S2.6-9]", () =>
    Effect.gen(function* () {
      const { state, run } = world();
      yield* run((uploads) =>
        Effect.gen(function* () {
          const file = { name: "a.pdf", type: "application/pdf", bytes: Stream.make(new Uint8Array(3)) };
          const receive = uploads.receiveOnce(ME, file, { caller: "c", key: "k", account: ME });
          state.isCommitLost = true;
          expect((yield* Effect.flip(receive))._tag).toBe("StoreUnavailable");
          const first = state.created;
          expect(state.log).not.toContain("remove");
          expect((yield* receive).id).toBe(first);
          expect(state.log.filter((one) => one === "remove")).toHaveLength(1);
        }),
      );
    }),
  );

  it.effect("is read back for a day, and longer while a message pins it", () =>
    Effect.gen(function* () {
      const { run } = world([upload("up_new", DAY - 1), upload("up_old", DAY), upload("up_pin", 9 * DAY, true)]);
      const open = (id: string) => run((uploads) => uploads.open(ME, id));
      expect((yield* open("up_new")).upload.id).toBe("up_new");
      expect((yield* open("up_pin")).upload.id).toBe("up_pin");
      for (const id of ["up_old", "up_none"]) expect((yield* Effect.flip(open(id)))._tag).toBe("UploadNotFound");
    }),
  );

  it.effect("is swept in batches of 100: after a day, or an hour if it was never completed", () =>
    Effect.gen(function* () {
      const batch = (count: number) => Array.from({ length: count }, (_, n) => `up_${n}`);
      const { state, run } = world([], [batch(100), batch(2)]);
      yield* run((uploads) => uploads.sweep);
      const asked = `retire ${DAY} 3600000 100`;
      expect(state.log.filter((one) => one !== "remove")).toEqual([asked, "forget 100", asked, "forget 2"]);
      expect(state.log.filter((one) => one === "remove")).toHaveLength(102);
      const none = world();
      yield* none.run((uploads) => uploads.sweep);
      expect(none.state.log).toEqual([asked]);
    }),
  );
});

describe("the files of a message", () => {
  const { attach, state } = world([upload("up_a", 0), upload("up_old", DAY)]);

  it.effect("are uploads by their ids, with the names and types that the message gives them", () =>
    Effect.gen(function* () {
      const stored = { uploadId: "up_a", name: "a.pdf", type: "application/pdf", size: 5, contentId: null };
      expect(yield* attach({ id: "up_a" })).toEqual([stored]);
      expect(yield* attach({ id: "up_a", url: "https://x.test/api/uploads/up_a" })).toEqual([stored]);
      expect(yield* attach({ id: "up_a", name: "b.txt", type: "text/plain", contentId: "c" })).toEqual([
        { ...stored, name: "b.txt", type: "text/plain", contentId: "c" },
      ]);
      // A file of these types would have to be sent unencoded.
      expect((yield* attach({ id: "up_a", type: "Message/rfc822" }))[0]?.type).toBe("application/octet-stream");
    }),
  );

  it.effect("may be contained, and are stored", () =>
    Effect.gen(function* () {
      const [bare, named] = yield* attach({ content: "AAAA" }, { content: "AAA=", name: "n.png", type: "image/png" });
      expect(bare).toMatchObject({ name: "attachment", type: "application/octet-stream", size: 3 });
      expect(named).toMatchObject({ name: "n.png", type: "image/png", size: 2 });
    }),
  );

  it.effect("are refused with every one that may not be used", () =>
    Effect.gen(function* () {
      const before = state.log.length;
      const error = yield* Effect.flip(
        attach(
          { id: "up_a" },
          { id: "up_old" },
          { id: "up_none" },
          { id: "up_a", url: "/api/uploads/up_b" },
          {},
          { content: "AAAA" },
        ),
      );
      expect(error._tag === "InputInvalid" && error.errors.map(({ field }) => field)).toEqual([
        "attachments.1",
        "attachments.2",
        "attachments.3",
        "attachments.4",
      ]);
      expect(state.log).toHaveLength(before);
    }),
  );
});
