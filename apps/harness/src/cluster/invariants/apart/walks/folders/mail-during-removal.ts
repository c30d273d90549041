import { Option } from "effect";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";
import type { AnsweredCall } from "../../../../faults/PortCall.ts";
import { textOf } from "../../../../world/accounts.ts";

/** The maximum number of messages that arrive. */
const MOST = 3;

/**
 * Lets messages arrive in a folder while it is being removed, after a mailbox was found empty. Two rounds in a row must find all
 * mailboxes empty, so a message that arrives before the last of these rounds is moved too. Returns the Message-IDs of the messages,
 * and the function that ends the arrivals.
 */
export const mailDuringRemoval = (
  { mail, timeline, observers, random }: Cluster,
  account: AccountId,
  name: string,
): { readonly arrived: ReadonlyArray<string>; readonly end: () => void } => {
  const arrived: Array<string> = [];
  let [hasBegun, hasMoved, emptyRounds] = [false, false, 0];
  const come = (path: string) => {
    const messageId = `<${name}-${arrived.length}@far.test>`;
    mail.account(account).mailbox(path).append(textOf(messageId, account), timeline.now);
    arrived.push(messageId);
  };
  const see = ({ port, method, args, answer }: AnsweredCall) => {
    if (args[0] !== account) return;
    // Each round ends with a listing.
    if (port === "MailboxTree" && hasBegun) {
      emptyRounds = hasMoved ? 0 : emptyRounds + 1;
      hasMoved = false;
    }
    if (port !== "MailboxChanges") return;
    hasBegun ||= method === "nextBatch";
    hasMoved ||= method === "moveBatch";
    const isEmpty = method === "nextBatch" && Option.isOption(answer) && Option.isNone(answer);
    const isInTime = hasMoved || emptyRounds === 0;
    if (isEmpty && isInTime && arrived.length < MOST && random.chance(0.4)) come(String(args[1]));
  };
  observers.push(see);
  return { arrived, end: () => void observers.splice(observers.indexOf(see), 1) };
};
