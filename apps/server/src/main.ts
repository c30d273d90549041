import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Cause, Console, Effect, Exit, Layer, Logger, References } from "effect";
import { announcement } from "./announce.ts";
import { config } from "./config.ts";
import { service } from "./Service.ts";
import { serviceKeys } from "./service-keys.ts";

const HELP = `Postern: any IMAP/SMTP mailbox as an HTTP API.

  npm start            the sandbox: demo accounts in memory, on http://127.0.0.1:3000
  IMAP_URL=imaps://imap.example.com SMTP_URL=smtps://smtp.example.com npm start
                       a real mail server

Settings come from the environment: see docs/configuration.md.`;

const serve = Effect.gen(function* () {
  const settings = yield* config;
  const keys = yield* serviceKeys(settings);
  const logger = settings.logFormat === "json" ? Logger.consoleJson : Logger.consolePretty();
  const logging = Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, settings.logLevel));
  return yield* Effect.gen(function* () {
    const port = yield* service(settings, keys);
    yield* Console.log(announcement(settings, port));
    return yield* Effect.never;
  }).pipe(Effect.scoped, Effect.provide(logging));
}).pipe(
  Effect.catchTag("ConfigError", ({ message }) =>
    Effect.andThen(Console.error(`Postern cannot start: ${message}`), Effect.fail("refused" as const)),
  ),
  Effect.catchTag(
    ["DataDirInUse", "DataDirUnusable", "DatabaseTooNew", "KeyUnusable", "SigningKeyInvalid"],
    ({ message }) =>
      Effect.andThen(Console.error(`Postern cannot start: ${message}.`), Effect.fail("refused" as const)),
  ),
  Effect.catchTag("ListenError", ({ message }) =>
    Effect.andThen(
      Console.error(`Postern cannot listen: ${message}; HOST and PORT say where.`),
      Effect.fail("refused" as const),
    ),
  ),
);

const wantsHelp = process.argv.includes("--help") || process.argv.includes("-h");

NodeRuntime.runMain(wantsHelp ? Console.log(HELP) : serve, {
  disableErrorReporting: true,
  // A signal is how a server is meant to end: it drained, so the process did what it was told.
  teardown: (exit, done) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return done(0);
    if (Cause.squash(exit.cause) !== "refused") console.error(Cause.pretty(exit.cause));
    done(1);
  },
});
