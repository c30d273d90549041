import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { COPIED, COPY, copySocket, UNCHANGED } from "./copy-socket.ts";
import type { DataDir } from "./DataDir.ts";

/** The time limit of a copy, because the journal grows during the copy. */
const MAX_COPY_TIME = "1 hour";

/**
 * Serves `copyDatabase` of other processes of this user: keeps the database's file unchanged while they copy it. This
 * process cannot make the copy itself, because closing another handle to the file would release SQLite's locks.
 */
export const serveCopies = (folder: DataDir): Layer.Layer<never, never, Database> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { holdFile } = yield* Database;
      const scope = yield* Effect.scope;
      const runFork = Effect.runForkWith(yield* Effect.context<never>());

      const answer = Effect.fnUntraced(function* (socket: Socket) {
        yield* Effect.acquireUseRelease(
          holdFile,
          Option.match({
            onNone: () => Effect.void,
            onSome: (release) =>
              Effect.gen(function* () {
                socket.write(COPY);
                const word = yield* Effect.timeoutOption(nextWord(socket), MAX_COPY_TIME);
                if (release() && Option.contains(word, COPIED)) socket.write(UNCHANGED);
              }),
          }),
          (held) => Effect.sync(() => Option.map(held, (release) => release())),
        );
      });

      const server = createServer((socket) => {
        socket.on("error", () => {});
        const answering = Effect.ensuring(
          Effect.ignore(answer(socket)),
          Effect.sync(() => socket.end()),
        );
        runFork(Effect.forkIn(answering, scope));
      });
      const listening = Effect.callback<void, string>((resume) => {
        const path = copySocket(folder.path);
        if (path === undefined) return resume(Effect.fail("the path of DATA_DIR is too long"));
        // A killed process may have left the socket; the folder belongs to this process now.
        rmSync(path, { force: true });
        server.once("error", ({ message }) => resume(Effect.fail(message)));
        server.listen(path, () => {
          chmodSync(path, 0o600);
          resume(Effect.void);
        });
      });
      const closed = Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)));
      yield* Effect.acquireRelease(listening, () => closed);
    }).pipe(
      Effect.catch((detail) => Effect.logWarning(`npm run backup works only while the service is stopped: ${detail}`)),
    ),
  );

const nextWord = (socket: Socket): Effect.Effect<string> =>
  Effect.callback((resume) => {
    socket.once("data", (bytes) => resume(Effect.succeed(String(bytes))));
    socket.once("close", () => resume(Effect.succeed("")));
  });
