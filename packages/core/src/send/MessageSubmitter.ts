import { Context, Effect, Layer, Option, type Stream } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { CredentialVault, ServiceKeys } from "../auth/index.ts";
import type { MailServerError } from "../mail/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import type { FailureReason, OutgoingMessage } from "./OutgoingMessage.ts";
import { waitingRecipients } from "./outgoing-state.ts";
import { MailTransport } from "./ports/MailTransport.ts";

/** Why a message was not sent, by what kept the transport from its server. Where the server was not asked, it is not at fault. */
const REASONS: Readonly<Record<MailServerError["reason"], FailureReason>> = {
  unreachable: "unreachable",
  untrusted: "untrusted",
  timeout: "timeout",
  busy: "busy",
  limited: "busy",
  protocol: "protocol",
  flood: "flood",
  not_permitted: "protocol",
  over_quota: "protocol",
  sign_in_unclear: "busy",
  provider_unavailable: "busy",
  app_misconfigured: "busy",
  credential_unreadable: "busy",
};

/** Submits a message to the SMTP server for its queued recipients; every failure is an outcome (spec 6). */
export class MessageSubmitter extends Context.Service<
  MessageSubmitter,
  {
    readonly submit: (
      message: OutgoingMessage,
      size: number,
      bytes: Stream.Stream<Uint8Array, StoreUnavailable>,
      beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
    ) => Effect.Effect<AttemptOutcome>;
  }
>()("@postern/core/send/MessageSubmitter") {
  static readonly layer = Layer.effect(
    MessageSubmitter,
    Effect.gen(function* () {
      const transport = yield* MailTransport;
      const vault = yield* CredentialVault;
      const directory = yield* AccountDirectory;
      const keys = yield* ServiceKeys;

      /** A credential that the server refused is not sent again. */
      const standingRefusal = Effect.fnUntraced(function* ({ account, paused }: OutgoingMessage) {
        if (paused === null) return undefined;
        const version = yield* Effect.catchTag(vault.version(account), "MailboxCredentialsRejected", () =>
          Effect.succeed(paused.version),
        );
        return version === paused.version ? ({ _tag: "AuthRefused", version } as const) : undefined;
      });

      const standingPause = Effect.fnUntraced(function* ({ account }: OutgoingMessage) {
        const isPaused = Option.exists(yield* directory.find(account), ({ pausedAt }) => pausedAt !== null);
        return isPaused ? ({ _tag: "AccountPaused" } as const) : undefined;
      });

      /** A key that was deleted sends nothing more. It was there when the request with it was accepted. */
      const standingDeletion = Effect.fnUntraced(function* ({ author, scheduledFor, step }: OutgoingMessage) {
        if (author === undefined || (scheduledFor === null && step === 0)) return undefined;
        return Option.isNone(yield* keys.find(author.key)) ? ({ _tag: "KeyDeleted" } as const) : undefined;
      });

      const submit: MessageSubmitter["Service"]["submit"] = (message, size, bytes, beforeDot) =>
        Effect.all([standingDeletion(message), standingPause(message), standingRefusal(message)]).pipe(
          Effect.flatMap(([deletion, pause, refusal]) =>
            deletion !== undefined || pause !== undefined || refusal !== undefined
              ? Effect.succeed<AttemptOutcome>(deletion ?? pause ?? refusal!)
              : transport.deliver(
                  message.account,
                  {
                    from: message.from,
                    recipients: waitingRecipients(message),
                    size,
                    envelopeId: message.id,
                    ...(message.kind === undefined ? {} : { kind: message.kind }),
                    message: bytes,
                  },
                  beforeDot,
                ),
          ),
          Effect.catchTags({
            MailboxCredentialsRejected: () =>
              Effect.succeed<AttemptOutcome>({ _tag: "AuthRefused", version: message.paused?.version ?? 0 }),
            MailServerError: ({ reason, detail }) =>
              Effect.succeed<AttemptOutcome>({ _tag: "NotSent", reason: REASONS[reason], detail }),
            StoreUnavailable: ({ detail }) =>
              Effect.succeed<AttemptOutcome>({ _tag: "NotSent", reason: "busy", detail }),
          }),
        );

      return MessageSubmitter.of({ submit });
    }),
  );
}
