import { Effect } from "effect";
import { copySqlite } from "../src/index.ts";

/** Runs as a separate process: copies the database of a folder to a file and prints the outcome. */
const [, , dataDir = "", file = ""] = process.argv;

Effect.runPromise(copySqlite(dataDir, file)).then(
  () => process.stdout.write("copied\n"),
  (error: unknown) => process.stdout.write(`failed: ${(error as Error).message}\n`),
);
