import { Effect, Schema } from "effect";
import type { SendPolicy } from "../../auth/neighbours.ts";
import type { MailboxAccessError } from "../../mail/index.ts";
import type { AccountId, InputInvalid } from "../../shared/index.ts";
import { OutsidePolicy, type SenderNotAllowed } from "../errors.ts";
import type { Identities } from "../identities/Identities.ts";
import type { Sender } from "../identities/Sender.ts";
import { AGENT_HEADER } from "../limits.ts";
import type { MessageToSend } from "../MessageToSend.ts";
import type { OutgoingAttachment } from "../outgoing/OutgoingContents.ts";
import { isCarried } from "../uploads/attachments.ts";
import { isNamed, judgeSending } from "./judge-sending.ts";
import { type SentMail, writtenInThread } from "./written-to.ts";

/** The message needs a person's approval before it is sent (spec 13.1). */
export class ApprovalNeeded extends Schema.TaggedError<ApprovalNeeded>()("ApprovalNeeded", {}) {}

/** A message to send after its request was read, with its sender, its files, and the references of the answered message. */
interface ReadMessageToSend {
  readonly wanted: MessageToSend;
  readonly sender: Sender;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  readonly answered: { readonly inReplyTo: string | null; readonly references: ReadonlyArray<string> };
}

/**
 * Returns an agent's message, marked as unapproved, if its policy allows sending it now. Fails if the policy demands an
 * approval or refuses the message (spec 13.1).
 */
export const checkAgent = Effect.fn("checkAgent")(function* (
  services: { readonly mail: SentMail; readonly identities: Identities["Service"] },
  account: AccountId,
  policy: SendPolicy,
  { wanted, sender, attachments, answered }: ReadMessageToSend,
  now: number,
): Effect.fn.Return<
  MessageToSend,
  ApprovalNeeded | OutsidePolicy | SenderNotAllowed | InputInvalid | MailboxAccessError
> {
  const usual = yield* services.identities.sender(account, undefined);
  const unnamed = [...wanted.to, ...wanted.cc].map(({ address }) => address).filter((one) => !isNamed(policy, one));
  const asksThread = policy.to.includes("thread") && policy.approval !== "always";
  const verdict = judgeSending(
    policy,
    {
      account,
      message: wanted,
      isFromDefault: sender.from.address === usual.from.address && sender.from.name === usual.from.name,
      carriesFiles: attachments.some(({ uploadId }) => isCarried(uploadId)),
      answered,
      written: asksThread
        ? yield* writtenInThread(services.mail, account, unnamed, answered.references)
        : new Set<string>(),
    },
    now,
  );
  if (verdict === "ask") return yield* new ApprovalNeeded();
  if (verdict === "refuse") return yield* new OutsidePolicy();
  return { ...wanted, headers: [...wanted.headers, [AGENT_HEADER, "unapproved"]] };
});
