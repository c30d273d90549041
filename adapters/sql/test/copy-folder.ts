import { Effect } from "effect";
import { copySqlite } from "../src/index.ts";

/** Run as a process of its own: copies the database of a folder into a file and says how that went. */
const [, , dataDir = "", file = ""] = process.argv;

Effect.runPromise(copySqlite(dataDir, file)).then(
  () => process.stdout.write("copied\n"),
  (error: unknown) => process.stdout.write(`failed: ${(error as Error).message}\n`),
);
