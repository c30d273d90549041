import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { UploadContents } from "@postern/core/send";
import { storeContracts } from "@postern/testkit";
import { Effect, Layer, Stream } from "effect";
import { layer } from "../src/index.ts";

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "postern-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
);

storeContracts.send.UploadContents(
  "UploadContents in files",
  Layer.unwrap(Effect.map(temporaryFolder, (folder) => layer({ folder: join(folder, "made", "here") }))),
);

it.effect("keeps the files private to the user, and every id inside the folder", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "uploads");
    yield* Effect.gen(function* () {
      const contents = yield* UploadContents;
      yield* contents.write("up_1", Stream.make(new Uint8Array(3)));
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700);
      assert.strictEqual(statSync(join(folder, "up_1")).mode & 0o777, 0o600);
      for (const id of ["../up_1", "/etc/passwd", "", "a/b", "."]) {
        assert.strictEqual((yield* Effect.exit(contents.write(id, Stream.empty)))._tag, "Failure");
        assert.strictEqual((yield* Effect.exit(Stream.runDrain(contents.read(id))))._tag, "Failure");
      }
      assert.deepStrictEqual(readdirSync(folder), ["up_1"]);
    }).pipe(Effect.provide(layer({ folder })));
  }),
);

it.effect("fails with StoreUnavailable if the folder cannot be written to", () =>
  Effect.gen(function* () {
    const taken = join(yield* temporaryFolder, "taken");
    writeFileSync(taken, "a file");
    const write = Effect.flatMap(UploadContents, (contents) => contents.write("up_1", Stream.empty));
    const error = yield* Effect.flip(Effect.provide(write, layer({ folder: taken })));
    assert.strictEqual(error._tag, "StoreUnavailable");
  }),
);
