import { assert, it } from "@effect/vitest";
import { Effect, Layer, Stream } from "effect";
import { composeCopy, draftCopies, storeCopy } from "../src/drafts/draft-copies.ts";
import { DraftsFolder } from "../src/drafts/index.ts";
import { MessageChanges, MessageReader } from "../src/messages/index.ts";
import { Identities, MessageComposer, UploadContents } from "../src/send/index.ts";
import { AccountId, Digest } from "../src/shared/index.ts";
import { draftContents } from "./draft-contents.ts";

const ME = AccountId("me@example.org");
const DRAFT = { id: "dft_1", account: ME };

it.effect("composes a copy for its checksum and again while it is stored, so that no message is held in memory", () => {
  const steps: Array<string> = [];
  const noted = (step: string) => Effect.sync(() => void steps.push(step));
  const ports = [
    Layer.mock(MessageComposer, {
      compose: ({ messageId, date }) =>
        Stream.tap(
          Stream.rechunk(Stream.make(...[1, 2, 3].map((part) => Uint8Array.of(part, date, messageId.length))), 1),
          ([part]) => noted(`composed ${part}`),
        ),
    }),
    Layer.mock(Digest, {
      sha256: (bytes) =>
        Effect.as(
          Stream.runForEach(bytes, ([part]) => noted(`hashed ${part}`)),
          "sum",
        ),
    }),
    Layer.mock(DraftsFolder, {
      append: (_, { token }, message) =>
        Effect.as(Effect.orDie(Stream.runForEach(message, (bytes) => noted(`stored ${bytes.join()} of ${token}`))), {
          path: "Drafts",
          uidValidity: 1,
          uid: 1,
        }),
    }),
    Layer.mock(Identities, {}),
    Layer.mock(MessageChanges, {}),
    Layer.mock(MessageReader, {}),
    Layer.mock(UploadContents, {}),
  ] as const;
  return Effect.gen(function* () {
    const copies = yield* draftCopies;
    const contents = { ...draftContents("s", "t"), from: { name: "", address: ME }, size: 1 };
    const save = yield* composeCopy(copies, DRAFT, "tok", contents, 7);
    assert.strictEqual(save.checksum, "sum");
    const [one, two, three] = [1, 2, 3].map((part) => [`composed ${part}`, `hashed ${part}`]);
    assert.deepStrictEqual(steps.splice(0), [...one!, ...two!, ...three!]);
    yield* storeCopy(copies, DRAFT, save);
    const stored = [1, 2, 3].flatMap((part) => [`composed ${part}`, `stored ${part},7,17 of tok`]);
    assert.deepStrictEqual(steps, stored);
  }).pipe(Effect.provide(Layer.mergeAll(...ports)));
});
