import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Cause, Console, Effect, Exit, Layer, Logger, References } from "effect";
import { announcement } from "./process/announce.ts";
import { backUp } from "./process/back-up.ts";
import { type Config, config, environment } from "./settings/config.ts";
import { flatJson } from "./process/flat-json.ts";
import { HELP } from "./process/help.ts";
import { bridgeSettings, runBridge } from "./process/mcp-bridge.ts";
import { newKeys } from "./settings/new-keys.ts";
import { runPrepared } from "./process/prepared.ts";
import { restore } from "./process/restore.ts";
import { rotateKeys } from "./process/rotate-keys.ts";
import { sandboxAdminKey } from "./process/sandbox-admin-key.ts";
import { serve } from "./process/serve.ts";
import { retryStart } from "./process/retry-start.ts";

const [name = "serve", ...operands] = process.argv.slice(2);

const serving = Effect.gen(function* () {
  const configured = yield* config;
  const adminKey = sandboxAdminKey(configured);
  const settings = adminKey === undefined ? configured : { ...configured, adminKeys: [adminKey] };
  return yield* runPrepared(settings, logging(settings), (keys, clock) =>
    Effect.gen(function* () {
      for (const stray of settings.strays) yield* Effect.logWarning(stray);
      const begun = serve(settings, keys, clock);
      const port = yield* "url" in keys.storage ? retryStart(begun) : begun;
      yield* Console.log(announcement(settings, port, adminKey));
      return yield* Effect.never;
    }).pipe(Effect.scoped),
  );
}).pipe(Effect.scoped);

const rotate = Effect.flatMap(config, (settings) => Effect.provide(rotateKeys(settings), logging(settings)));

const backup = Effect.flatMap(config, (settings) => backUp(settings, operands));

const bringBack = Effect.flatMap(config, (settings) => restore(settings, logging(settings), operands));

const logging = ({ logFormat, logLevel }: Config) => {
  const logger = logFormat === "json" ? Logger.withConsoleLog(flatJson) : Logger.consolePretty();
  return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, logLevel));
};

/** Prints an expected error as one line with the next step; any other failure is a bug and is printed in full. */
const refuse = (line: string) => Effect.andThen(Console.error(line), Effect.fail("refused" as const));

const listening = serving.pipe(
  Effect.catchTag("ListenError", ({ message }) =>
    refuse(`Postern cannot listen: ${message}. Choose another HOST or PORT.`),
  ),
);

const bridge = Effect.suspend(() => {
  const settings = bridgeSettings(environment);
  if (typeof settings === "string") return refuse(`${settings}.`);
  return Effect.promise(() => runBridge(settings, process.stdin, (line) => void process.stdout.write(`${line}\n`)));
});

type Failure = Effect.Error<typeof listening | typeof rotate | typeof backup | typeof bringBack | typeof bridge>;

const COMMANDS: Readonly<Record<string, Effect.Effect<void, Failure>>> = {
  serve: listening,
  "keys:new": Effect.flatMap(newKeys, Console.log),
  "keys:rotate": rotate,
  backup,
  restore: bringBack,
  mcp: bridge,
  "--help": Console.log(HELP),
  "-h": Console.log(HELP),
};

const main = (COMMANDS[name] ?? refuse(`Unknown command: ${name}.\n\n${HELP}`)).pipe(
  Effect.catchTag("ConfigError", ({ message }) => refuse(`Postern cannot start: ${message}`)),
  Effect.catchTag(
    [
      "DataDirInUse",
      "DataDirUnusable",
      "DatabaseMissing",
      "DatabaseTooNew",
      "DatabaseClash",
      "DatabaseUnreachable",
      "DatabaseRefused",
      "KeyUnusable",
      "SecretUnreadable",
      "SigningKeyInvalid",
    ],
    ({ message }) => refuse(`Postern cannot start: ${message}.`),
  ),
  Effect.catchTag(["CopyFailed", "BackupRefused"], ({ message }) => refuse(`No backup was made: ${message}.`)),
  Effect.catchTag("RestoreRefused", ({ message }) => refuse(`Nothing was restored: ${message}.`)),
  Effect.catchTag("StoreUnavailable", ({ detail }) => refuse(`The database does not answer: ${detail}.`)),
);

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // A signal is the normal way to stop a server, so the exit code after draining is 0.
  teardown: (exit, done) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return done(0);
    if (Cause.squash(exit.cause) !== "refused") console.error(Cause.pretty(exit.cause));
    done(1);
  },
});
