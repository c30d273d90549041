import { type CopyError, copySqlite } from "@postern/sql";
import { Console, Data, Effect, Option } from "effect";
import type { Config } from "../settings/config.ts";

/** A backup that cannot be made, with the reason. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{ readonly message: string }> {}

/** Copies the embedded database into a file, whether or not the service runs (`npm run backup -- FILE`). */
export const backUp = Effect.fnUntraced(function* (
  { databaseUrl, dataDir }: Config,
  operands: ReadonlyArray<string>,
): Effect.fn.Return<void, BackupRefused | CopyError> {
  const [file] = operands;
  if (Option.isSome(databaseUrl)) {
    return yield* new BackupRefused({
      message: "DATABASE_URL is set; back up PostgreSQL with its own tools, such as pg_dump",
    });
  }
  if (file === undefined || operands.length > 1) {
    return yield* new BackupRefused({ message: "name the file to write: npm run backup -- FILE" });
  }
  yield* copySqlite(dataDir, file);
  yield* Console.log(`The database is copied to ${file}. As postern.db beside keys.json it is the service again.`);
});
