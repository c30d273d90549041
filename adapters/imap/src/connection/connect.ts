import type { Recording } from "@postern/core/accounts";
import { LoginRefused, type MailCredential, PasswordRefusal, PasswordRefused } from "@postern/core/auth";
import type { MailServer, MailServerError } from "@postern/core/mail";
import type { EgressGuard } from "@postern/core/shared";
import { Data, Effect, Option, Schema } from "effect";
import type { ImapFlow, ImapFlowError } from "imapflow";
import { causeOf, isExplainedRefusal } from "./imap-cause.ts";
import { isTransmittable } from "./is-transmittable.ts";
import {
  connectFailure,
  connectionLoss,
  isNotConnected,
  isProgrammingError,
  noPasswordFailure,
} from "./imap-failure.ts";
import { countConnection, measureCommand } from "./imap-metrics.ts";
import type { ImapSettings } from "./ImapOptions.ts";
import { disableNamePrefix, keepRefusals } from "../wire/imapflow-internals.ts";
import { keepFlags } from "../wire/keep-flags.ts";
import { type ClientUse, openClient } from "./open-client.ts";

/** The server refused the credential. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  /** The error to return to a user who signs in. */
  readonly told: LoginRefused | PasswordRefused;
  /**
   * Whether the server named a reason. A server that refuses without a reason may accept the credential a moment later.
   */
  readonly isExplained: boolean;
}> {}

/** Opens and signs in a connection, which the caller closes. If interrupted, the function closes it. */
export const connect = (
  guard: EgressGuard["Service"],
  settings: ImapSettings,
  server: MailServer,
  credential: MailCredential,
  recording: Recording | undefined,
  use: ClientUse = "session",
): Effect.Effect<ImapFlow, SignInRefused | MailServerError> =>
  openClient(guard, settings, server, credential, use, recording).pipe(
    Effect.catchTags({
      AddressDenied: ({ rule }) => Effect.fail(connectionLoss("connect", `the egress guard refused the ${rule}`)),
      HostUnresolved: ({ reason }) => Effect.fail(connectionLoss("connect", `the host has no address: ${reason}`)),
      NotOpened: (failure) => {
        const { error } = failure;
        if (isProgrammingError(error)) return Effect.die(error);
        const cause = causeOf(failure, credential);
        // A server with a temporary fault gives the same answer, so the stored credential is kept.
        const isRefused = isPasswordRefusal(cause) && !isNotConnected(error as ImapFlowError);
        const told = isRefused ? new PasswordRefused({ reason: cause }) : connectFailure(error);
        const failed =
          told._tag === "MailServerError"
            ? told
            : new SignInRefused({ told, isExplained: isExplainedRefusal(error as ImapFlowError) });
        return Effect.andThen(logTokenRefusal(error), Effect.fail(failed));
      },
    }),
    Effect.flatMap((client) => {
      // A PREAUTH greeting, for which imapflow keeps no text, admits every client without checking the password.
      if (client.greeting === undefined) {
        client.close();
        return Effect.fail(noPasswordFailure());
      }
      disableNamePrefix(client);
      keepRefusals(client);
      keepFlags(client);
      return Effect.succeed(client);
    }),
    Effect.when(Effect.sync(() => isTransmittable(credential))),
    Effect.flatMap((opened) =>
      Option.isSome(opened)
        ? Effect.succeed(opened.value)
        : Effect.fail(new SignInRefused({ told: new LoginRefused(), isExplained: true })),
    ),
    (login) => measureCommand("login", login),
    Effect.tap((client) => Effect.map(countConnection, (closed) => client.once("close", closed))),
  );

const isPasswordRefusal = Schema.is(PasswordRefusal);

/** Logs the code with which a server explains a refused token (RFC 7628, 3.2.2). */
const logTokenRefusal = (error: unknown): Effect.Effect<void> => {
  const { oauthError } = error as ImapFlowError;
  if (typeof oauthError !== "object") return Effect.void;
  const status = /^\w{1,20}$/.exec(String(oauthError.status))?.[0];
  return Effect.logInfo("the mail server refused an access token", { status });
};
