import { Effect } from "effect";
import type { AccountId } from "../../shared/index.ts";
import { OutsidePolicy } from "../errors.ts";
import type { MessageSender, SendError } from "../MessageSender.ts";
import type { SendingKey } from "../send-quota.ts";
import type { SendRequest } from "../SendRequest.ts";

/** The errors of a message for which no approval is requested. */
export type PolicySendError = Exclude<SendError, { readonly _tag: "ApprovalNeeded" }>;

/** Sends a message that is not the request's own, such as an answer to an invitation. If the message needs an approval, it is refused. */
export const sendWithinPolicy = (
  sending: MessageSender["Service"],
  account: AccountId,
  request: SendRequest,
  by: SendingKey | null,
) => Effect.catchTag(sending.send(account, request, undefined, by), "ApprovalNeeded", () => new OutsidePolicy());
