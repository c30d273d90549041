import { secretOf } from "@postern/core/auth";
import { type AccountId, EgressGuard } from "@postern/core/shared";
import { HostAdmission, ProtocolRecorder } from "@postern/core/accounts";
import { MailCredentials } from "@postern/core/oauth";
import { type MailboxAccessError, type MailServer, MailServers } from "@postern/core/mail";
import { type AttemptOutcome, MailTransport, type RecipientReplies, type Submission } from "@postern/core/send";
import { Effect, Layer, Option } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { login, open } from "../connect.ts";
import { converse } from "../conversation.ts";
import { knownSizes } from "../known-sizes.ts";
import { sizeLimit, supports, withoutPipelining } from "../nodemailer-internals.ts";
import { providerMessageId } from "../provider-message-id.ts";
import { failureOf, loginOutcome } from "../smtp-failure.ts";
import { type SignedInAs, SmtpConnections } from "../SmtpConnections.ts";
import { stalledPipelines } from "../stalled-pipelines.ts";
import type { SmtpSettings } from "../SmtpOptions.ts";

/** Submits messages over SMTP on a few reused connections per account (spec 6). */
export const layer = (
  settings: SmtpSettings,
): Layer.Layer<MailTransport, never, SmtpConnections | MailServers | MailCredentials | EgressGuard | HostAdmission> =>
  Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const connections = yield* SmtpConnections;
      const servers = yield* MailServers;
      const credentials = yield* MailCredentials;
      const guard = yield* EgressGuard;
      const hosts = yield* HostAdmission;
      const recorder = yield* ProtocolRecorder;
      const sizes = knownSizes();
      const stalls = stalledPipelines();
      const isAuthRequired = ({ origin }: MailServer) => settings.requireAuth || origin === "account";

      const signedIn = Effect.fnUntraced(function* (
        account: AccountId,
      ): Effect.fn.Return<SignedIn, Ended | MailboxAccessError> {
        // The version is read before the server, because a credential of a later version may belong to another server.
        const inForceVersion = yield* credentials.version(account);
        const { smtp: server } = yield* Effect.catchTag(servers.of(account), "NoMailServers", () =>
          Effect.fail(NO_SERVERS),
        );
        const inForce = {
          server,
          version: inForceVersion,
          isRecorded: recorder.isRecorded(account),
        };
        const kept = connections.take(account, inForce);
        if (kept !== undefined) return { connection: kept, as: inForce, isKept: true };
        const current = yield* credentials.of(account);
        const { version, credential } = current;
        if (version !== inForceVersion) return yield* signedIn(account);
        const ended = (outcome: AttemptOutcome) => new Ended({ ...outcome, server: nameOf(server) });
        yield* Effect.catchTag(hosts.admit(server, "request"), "HostLimited", () => Effect.fail(LIMITED));
        const recording = recorder.open(account, "smtp", server, [secretOf(credential)]);
        const named = { ...credential, username: server.username ?? credential.username };
        const opening = open(guard, settings, server, named.username, recording);
        const connection = yield* Effect.mapError(opening, (error) => ended({ _tag: "NotSent", ...failureOf(error) }));
        if (stalls.has(server)) withoutPipelining(connection);
        sizes.note(account, server, sizeLimit(connection));
        const failure = yield* Effect.flip(login(connection, named, isAuthRequired(server))).pipe(Effect.option);
        if (Option.isNone(failure)) {
          yield* credentials.recordAccepted(account);
          return { connection, as: { server, version, isRecorded: recording !== undefined }, isKept: false };
        }
        const outcome = loginOutcome(failure.value, version);
        const isRefused = outcome._tag === "AuthRefused";
        if (isRefused && (yield* credentials.renew(account, current))) return yield* signedIn(account);
        return yield* Effect.fail(ended(outcome));
      });

      const attempt = Effect.fnUntraced(function* (
        account: AccountId,
        submission: Submission,
        beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
      ) {
        for (;;) {
          const { connection, as, isKept } = yield* signedIn(account);
          const { outcome, began, stalled } = yield* converse(connection, submission, beforeDot, settings);
          if (stalled) stalls.note(as.server, supports(connection, "PIPELINING"));
          // A reused connection may have died unnoticed. The server answered no command, so this does not count as an
          // attempt.
          if (isKept && !began) continue;
          // The server may have raised its limit since this connection was opened.
          if (isKept && outcome._tag === "TooLarge") {
            connection.quit();
            continue;
          }
          if (isKept && began) yield* credentials.recordAnswer(account);
          if (isReusable(outcome)) yield* connections.release(account, connection, as);
          else yield* Effect.sync(() => leave(connection, outcome));
          return { ...withProviderId(outcome, as.server), server: nameOf(as.server) };
        }
      });

      return MailTransport.of({
        deliver: Effect.fn("MailTransport.deliver")(
          function* (account, submission, beforeDot) {
            yield* connections.place(account);
            return yield* attempt(account, submission, beforeDot);
          },
          Effect.catchIf(
            (error): error is Ended => error instanceof Ended,
            ({ outcome }) => Effect.succeed(outcome),
          ),
          Effect.scoped,
        ),
        maxMessageBytes: (account) =>
          Effect.map(Effect.option(servers.of(account)), (found) =>
            Option.flatMapNullishOr(found, ({ smtp }) => sizes.of(account, smtp)),
          ),
      });
    }),
  );

interface SignedIn {
  readonly connection: SMTPConnection;
  readonly as: SignedInAs;
  readonly isKept: boolean;
}

/** An attempt that ended before its message began. */
class Ended {
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome) {
    this.outcome = outcome;
  }
}

const withProviderId = (outcome: AttemptOutcome, { host }: MailServer): AttemptOutcome => {
  if (outcome._tag !== "Answered" || outcome.reply.code >= 400) return outcome;
  const id = providerMessageId(outcome.reply.text, host);
  return id === undefined ? outcome : { ...outcome, providerMessageId: id };
};

const NO_SERVERS = new Ended({ _tag: "NotSent", reason: "unreachable", detail: "the account has no mail servers" });

const LIMITED = new Ended({ _tag: "HostLimited" });

const nameOf = ({ host, port }: MailServer): string => `${host}:${port}`;

/**
 * Returns whether the connection can be used again, which is so only after a reply to the dot, positive or negative.
 */
const isReusable = ({ _tag }: AttemptOutcome): boolean => _tag === "Answered";

const leave = (connection: SMTPConnection, { _tag }: AttemptOutcome): void => {
  if (_tag === "RecipientsRefused" || _tag === "SenderRefused" || _tag === "TooLarge") connection.quit();
  else connection.close();
};
