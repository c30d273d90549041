import { type ConnectionCause, type ProbeResult, type ServerProbe, takesOnlyTokens } from "@postern/core/accounts";
import { secretOf } from "@postern/core/auth";
import { EgressGuard } from "@postern/core/shared";
import { Effect, Redacted } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { login, open } from "../connect.ts";
import { announced } from "../nodemailer-internals.ts";
import { type SmtpOptions, settingsOf } from "../SmtpOptions.ts";
import { causeOf } from "./smtp-cause.ts";

/** For the whole probe, in milliseconds: less than the ten seconds after which callers are answered. */
const WITHIN = 9_000;

const failed = (cause: ConnectionCause): ProbeResult => ({ _tag: "Failed", cause });

const mechanismsOf = (keywords: ReadonlyArray<string>): ReadonlyArray<string> =>
  keywords.flatMap((line) => (/^AUTH[ =]/.test(line) ? line.slice(5).split(/[ =]+/) : []));

/** The half of `ServerProbe` for SMTP: signs in and closes the connection. A password is never sent for a token. */
export const probeSmtp = (
  options: SmtpOptions = {},
): Effect.Effect<ServerProbe["Service"]["smtp"], never, EgressGuard> =>
  Effect.map(EgressGuard, (guard): ServerProbe["Service"]["smtp"] => {
    const settings = settingsOf({ ...options, timeouts: { connect: WITHIN, command: WITHIN, ...options.timeouts } });

    return (server, given) => {
      const credential = { ...given, username: server.username ?? given.username };
      // SASL cannot transmit these (RFC 4616, 2), and nodemailer sends no AUTH for an empty name.
      const said = [credential.username, Redacted.value(secretOf(credential))];
      if (said.some((text) => text === "" || text.includes("\0"))) return Effect.succeed(failed("auth_refused"));
      const signIn = (connection: SMTPConnection): Effect.Effect<ProbeResult> => {
        const keywords = announced(connection).map((line) => line.toUpperCase());
        const mechanisms = mechanismsOf(keywords);
        if (credential._tag === "Password" && takesOnlyTokens(mechanisms))
          return Effect.succeed(failed("oauth_required"));
        return login(connection, credential, settings.requireAuth || server.origin === "account").pipe(
          Effect.as<ProbeResult>({ _tag: "Accepted", capabilities: keywords.toSorted(), present: null }),
          Effect.catch((error) => Effect.succeed(failed(causeOf(error, mechanisms)))),
        );
      };

      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(open(guard, settings, server)), (connection) =>
          Effect.ensuring(
            restore(signIn(connection)),
            Effect.sync(() => connection.close()),
          ),
        ),
      ).pipe(
        Effect.catch((error) => Effect.succeed(failed(causeOf(error, [])))),
        Effect.timeoutOrElse({ duration: WITHIN, orElse: () => Effect.succeed(failed("timeout")) }),
      );
    };
  });
