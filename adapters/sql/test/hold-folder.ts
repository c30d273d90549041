import { Effect, Layer } from "effect";
import { sqlite } from "../src/index.ts";
import { cipher } from "./cipher.ts";

/** Run as a process of its own: holds the folder it is given, says so, and waits to be ended or left alone. */
const [, , dataDir = ""] = process.argv;

process.stdin.resume().on("end", () => process.exit());
const held = Layer.effectDiscard(Effect.sync(() => process.stdout.write("held\n")));
const folder = sqlite({ dataDir }).pipe(Layer.provide(cipher));
Effect.runPromise(Layer.launch(Layer.provide(held, folder))).catch((error: unknown) => {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
  process.exit(1);
});
