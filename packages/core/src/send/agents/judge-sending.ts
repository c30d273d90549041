import { Duration, Option } from "effect";
import type { SendPolicy } from "../../auth/neighbours.ts";
import { type AccountId, accountIdOf, hostNameOf } from "../../shared/index.ts";
import type { MessageToSend } from "../MessageToSend.ts";

/** A message that an agent wants to send, with the data for the decision. */
export interface AgentSending {
  readonly account: AccountId;
  readonly message: MessageToSend;
  /** Whether the sender is the default identity. */
  readonly isFromDefault: boolean;
  /** Whether the message contains a file of a received message. */
  readonly carriesFiles: boolean;
  /** The Message-IDs of the answered conversation. */
  readonly answered: { readonly inReplyTo: string | null; readonly references: ReadonlyArray<string> };
  /** The addresses to which the owner wrote in this conversation, in the form of `recipientKey`. */
  readonly written: ReadonlySet<string>;
}

/** How far ahead an agent may schedule a message without an approval. */
const MAX_AHEAD = Duration.toMillis("1 day");

/** Returns the text by which recipients are compared: lower case, with the domain in A-label form. */
export const recipientKey = (address: string): string =>
  Option.getOrElse(accountIdOf(address), () => address.toLowerCase());

/** Returns whether a policy names this recipient. A domain stands only for its own addresses, not for those of subdomains. */
export const isNamed = ({ to }: SendPolicy, address: string): boolean => {
  const key = recipientKey(address);
  const domain = key.slice(key.lastIndexOf("@") + 1);
  return to.some((entry) =>
    entry.startsWith("@")
      ? Option.contains(hostNameOf(entry.slice(1)), domain)
      : entry !== "thread" && recipientKey(entry) === key,
  );
};

/** Returns whether a message has a property that no policy allows (spec 13.1). */
const isOutsideAlways = ({ account, message, isFromDefault, carriesFiles, answered }: AgentSending, now: number) =>
  message.bcc.length > 0 ||
  carriesFiles ||
  !isFromDefault ||
  message.replyTo.some(({ address }) => recipientKey(address) !== account) ||
  message.headers.length > 0 ||
  (message.inReplyTo !== null && message.inReplyTo !== answered.inReplyTo) ||
  message.references.some((id) => !answered.references.includes(id)) ||
  (message.sendAt !== null && message.sendAt - now > MAX_AHEAD);

/** Decides whether a message is sent, needs a person's approval, or is refused (spec 13.1). `now` in epoch milliseconds. */
export const judgeSending = (policy: SendPolicy, sending: AgentSending, now: number): "send" | "ask" | "refuse" => {
  if (policy.approval === "always") return "ask";
  const { message, written } = sending;
  const isAllowed = (address: string) =>
    isNamed(policy, address) || (policy.to.includes("thread") && written.has(recipientKey(address)));
  const isInside =
    !isOutsideAlways(sending, now) && [...message.to, ...message.cc].every(({ address }) => isAllowed(address));
  if (isInside) return "send";
  return policy.approval === "outside" ? "ask" : "refuse";
};
