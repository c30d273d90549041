import { Clock, Effect, Option, type Stream } from "effect";
import { AccountDirectory } from "../../accounts/index.ts";
import { AgentGrantRecords } from "../../assistants/index.ts";
import { CredentialVault, ServiceKeys } from "../../auth/index.ts";
import type { MailServerError } from "../../mail/index.ts";
import { type HeldLease, endUnlessHeld } from "../../shared/neighbours.ts";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import type { FailureReason, MessageAuthor, OutgoingMessage } from "./OutgoingMessage.ts";
import { waitingRecipients } from "./outgoing-state.ts";
import { MailTransport } from "../ports/MailTransport.ts";

/** The reason why a message was not sent, for each error before the server is contacted. Such an error is not a fault of the server. */
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

/** The ports that submit a message, or that can prevent its submission. */
export const messageSubmission = Effect.all({
  transport: MailTransport,
  vault: CredentialVault,
  directory: AccountDirectory,
  serviceKeys: ServiceKeys,
  grants: AgentGrantRecords,
});
export type MessageSubmission = Effect.Success<typeof messageSubmission>;

/**
 * Submits a message to the SMTP server for its queued recipients; every failure is an outcome (spec 6). Ends like an
 * interruption if the lease has ended before the server is contacted.
 */
export const submitMessage = (
  to: MessageSubmission,
  message: OutgoingMessage,
  held: HeldLease,
  size: number,
  bytes: Stream.Stream<Uint8Array, StoreUnavailable>,
  beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
): Effect.Effect<AttemptOutcome> =>
  Effect.flatMap(obstacleTo(to, message), (obstacle) =>
    obstacle !== undefined
      ? Effect.succeed<AttemptOutcome>(obstacle)
      : Effect.andThen(
          endUnlessHeld(held),
          to.transport.deliver(
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
  ).pipe(
    Effect.catchTags({
      MailboxCredentialsRejected: () =>
        Effect.succeed<AttemptOutcome>({ _tag: "AuthRefused", version: message.paused?.version ?? 0 }),
      MailServerError: ({ reason, detail }) =>
        Effect.succeed<AttemptOutcome>({ _tag: "NotSent", reason: REASONS[reason], detail }),
      StoreUnavailable: ({ detail }) => Effect.succeed<AttemptOutcome>({ _tag: "NotSent", reason: "busy", detail }),
    }),
  );

/** Returns why a message is held: its key was deleted or is suspended, or its grant has ended. */
const holdOf = Effect.fnUntraced(function* ({ serviceKeys, grants }: MessageSubmission, author: MessageAuthor) {
  const key = yield* serviceKeys.find(author.key);
  if (Option.isSome(key))
    return key.value.suspendedAt === undefined ? undefined : ({ _tag: "Withheld", by: "suspension" } as const);
  const now = yield* Clock.currentTimeMillis;
  const isGranted = Option.exists(yield* grants.find(author.key), ({ expiresAt }) => now < expiresAt);
  return isGranted ? undefined : ({ _tag: "Withheld" } as const);
});

/** Returns why the server must not be contacted: the key was deleted, the account is paused, or its credential is still refused. */
const obstacleTo = Effect.fnUntraced(function* (to: MessageSubmission, { account, author, paused }: OutgoingMessage) {
  if (author !== undefined) {
    const hold = yield* holdOf(to, author);
    if (hold !== undefined) return hold;
  }
  const { vault, directory } = to;
  if (Option.exists(yield* directory.find(account), ({ pausedAt }) => pausedAt !== null))
    return { _tag: "AccountPaused" } as const;
  if (paused === null) return undefined;
  const version = yield* Effect.catchTag(vault.version(account), "MailboxCredentialsRejected", () =>
    Effect.succeed(paused.version),
  );
  return version === paused.version ? ({ _tag: "AuthRefused", version } as const) : undefined;
});
