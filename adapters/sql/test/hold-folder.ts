import { Effect, Layer } from "effect";
import { DataDir, sqlite } from "../src/index.ts";
import { cipher } from "./cipher.ts";

/** Runs as a separate process: holds the given folder, reports it, and waits to be ended. */
const [, , dataDir = ""] = process.argv;

process.stdin.resume().on("end", () => process.exit());
const held = Layer.effectDiscard(Effect.sync(() => process.stdout.write("held\n")));
const folder = Layer.unwrap(Effect.map(DataDir.hold(dataDir), (held) => sqlite({ folder: held })));
Effect.runPromise(Layer.launch(Layer.provide(held, Layer.provide(folder, cipher)))).catch((error: unknown) => {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
  process.exit(1);
});
