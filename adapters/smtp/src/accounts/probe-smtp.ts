import {
  type ConnectionCause,
  type ProbeResult,
  ProtocolRecorder,
  refusalCause,
  type ServerProbe,
  takesOnlyTokens,
  tokenRefusalCause,
} from "@postern/core/accounts";
import { secretOf } from "@postern/core/auth";
import { EgressGuard } from "@postern/core/shared";
import { Effect, Redacted } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { login, open } from "../connect.ts";
import { ehloLines } from "../nodemailer-internals.ts";
import { type SmtpOptions, settingsOf } from "../SmtpOptions.ts";
import { mechanismsOf } from "../token-login.ts";
import { causeOf } from "./smtp-cause.ts";

/** The time limit of a whole probe, in milliseconds: less than the ten seconds within which callers expect an answer. */
const PROBE_MILLIS = 9_000;

const failure = (cause: ConnectionCause): ProbeResult => ({ _tag: "Failed", cause });

/** Implements `ServerProbe` for SMTP: signs in and closes the connection. It never sends a token as a password. */
export const probeSmtp = (
  options: SmtpOptions = {},
): Effect.Effect<ServerProbe["Service"]["smtp"], never, EgressGuard> =>
  Effect.gen(function* () {
    const guard = yield* EgressGuard;
    const recorder = yield* ProtocolRecorder;
    const settings = settingsOf({
      ...options,
      timeouts: { connect: PROBE_MILLIS, command: PROBE_MILLIS, ...options.timeouts },
    });

    const probe: ServerProbe["Service"]["smtp"] = (server, given, account) => {
      const credential = { ...given, username: server.username ?? given.username };
      // SASL cannot transmit such credentials (RFC 4616, 2; RFC 7628, 3.1), and nodemailer sends no AUTH for an empty
      // name.
      const said = [credential.username, Redacted.value(secretOf(credential))];
      const impossible = credential._tag === "Password" ? /\0/ : /\p{Cc}/u;
      if (said.some((text) => text === "" || impossible.test(text))) return Effect.succeed(failure("auth_refused"));
      const signIn = (connection: SMTPConnection): Effect.Effect<ProbeResult> => {
        const keywords = ehloLines(connection).map((line) => line.toUpperCase());
        const mechanisms = mechanismsOf(connection);
        if (credential._tag === "Password" && takesOnlyTokens(mechanisms)) {
          return Effect.succeed(failure("oauth_required"));
        }
        const refusal =
          credential._tag === "Password" ? (text: string) => refusalCause({ text, mechanisms }) : tokenRefusalCause;
        return login(connection, credential, settings.requireAuth || server.origin === "account").pipe(
          Effect.as<ProbeResult>({ _tag: "Accepted", capabilities: keywords.toSorted(), present: null }),
          Effect.catch((error) => Effect.succeed(failure(causeOf(error, refusal)))),
        );
      };

      return Effect.uninterruptibleMask((restore) => {
        const recording = recorder.open(account, "smtp", server, [secretOf(credential)]);
        return Effect.flatMap(restore(open(guard, settings, server, credential.username, recording)), (connection) =>
          Effect.ensuring(
            restore(signIn(connection)),
            Effect.sync(() => connection.close()),
          ),
        );
      }).pipe(
        Effect.catch((error) => Effect.succeed(failure(causeOf(error)))),
        Effect.timeoutOrElse({ duration: PROBE_MILLIS, orElse: () => Effect.succeed(failure("timeout")) }),
      );
    };
    return probe;
  });
