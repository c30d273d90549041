import { constants } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Outbox } from "@postern/core/send";
import { beginFeed, holdDeliveries } from "@postern/sql";
import { Console, Data, Effect, type Layer, Option } from "effect";
import type { Config } from "../settings/config.ts";
import { service } from "../wiring/service.ts";
import { runPrepared } from "./prepared.ts";

/** A backup that cannot be restored, with the reason. */
export class RestoreRefused extends Data.TaggedError("RestoreRefused")<{ readonly message: string }> {}

/** The states in which the service would send a message. */
const WAITING = ["scheduled", "queued"] as const;

/**
 * Restores a backup (`npm run restore -- [FILE] [--send]`). Copies the embedded database, and holds the mail and
 * deliveries that wait in it, because the service may have sent these after the backup.
 */
export const restore = Effect.fnUntraced(function* (
  config: Config,
  logging: Layer.Layer<never>,
  operands: ReadonlyArray<string>,
) {
  const [file, ...others] = operands.filter((operand) => operand !== "--send");
  if (others.length > 0) return yield* new RestoreRefused({ message: "name one file: npm run restore -- FILE" });
  if (Option.isNone(config.databaseUrl)) yield* copyBack(config.dataDir, file);
  else if (file !== undefined) {
    return yield* new RestoreRefused({
      message:
        "DATABASE_URL is set; bring PostgreSQL back with its own tools, such as pg_restore, then run this without a file",
    });
  }
  const sends = operands.includes("--send");
  const held = yield* runPrepared(config, logging, (keys, clock) =>
    Effect.gen(function* () {
      const { behind } = yield* service(config, keys, clock);
      yield* Effect.provide(beginFeed, behind);
      if (sends) return 0;
      yield* Effect.provide(holdDeliveries, behind);
      const { changeAll } = yield* Effect.provide(Outbox, behind);
      const outcomes = yield* Effect.forEach(WAITING, (state) => changeAll("hold", { state }));
      return outcomes.reduce((sum, { messages }) => sum + messages, 0);
    }),
  );
  if (sends) return yield* Console.log("Restored. What waits is sent once the service starts.");
  yield* Console.log(
    `Restored. ${held} message${held === 1 ? "" : "s"} and all pending deliveries are held: release them with POST /api/admin/outbox/release ` +
      "and a replay of each endpoint, once you know what was sent after the backup.",
  );
}, Effect.scoped);

const copyBack = Effect.fnUntraced(function* (folder: string, file: string | undefined) {
  if (file === undefined) return yield* new RestoreRefused({ message: "name the file: npm run restore -- FILE" });
  const database = join(folder, "postern.db");
  yield* Effect.tryPromise({
    try: async () => {
      await copyFile(file, database, constants.COPYFILE_EXCL);
      await chmod(database, 0o600);
    },
    catch: (error) => {
      const { code } = error as NodeJS.ErrnoException;
      return new RestoreRefused({
        message:
          code === "EEXIST"
            ? `${database} is there already: restore into an empty folder`
            : `${file} cannot be copied to ${database} (${code}): make DATA_DIR, and put the keys.json of that time into it`,
      });
    },
  });
});
