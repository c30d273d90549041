import type { IdentityRecord } from "./Identity.ts";
import type { OutgoingContents } from "../outgoing/OutgoingContents.ts";
import type { OutgoingMessage } from "../outgoing/OutgoingMessage.ts";
import { ownMail } from "../outgoing/own-mail.ts";

const SUBJECT = "Confirm this address";

interface Circumstances {
  /** The id of the identity. */
  readonly id: string;
  readonly token: string;
  readonly baseUrl: string;
  readonly noticesFrom: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the path of the page that verifies an address. */
export const verificationPath = (token: string): string => `/verify/${token}`;

/** Returns the mail whose link verifies an alias (spec 12.2), for the journal. */
export const verificationMail = (
  own: IdentityRecord,
  address: string,
  { id: identity, token, baseUrl, noticesFrom, now }: Circumstances,
): { readonly message: OutgoingMessage; readonly contents: OutgoingContents } => {
  const { account } = own;
  const from = noticesFrom === null ? { name: own.name, address: account } : { name: "Postern", address: noticesFrom };
  const lines = [
    `${account} wants to send mail as ${address}.`,
    "",
    "If this is your address and you agree, open this page within 7 days and confirm:",
    `${baseUrl}${verificationPath(token)}`,
    "",
    "If not, ignore this mail: without the confirmation the address is not used.",
    "",
  ];
  return ownMail({ id: `out_verify_${identity}`, account, from, to: address, subject: SUBJECT, lines, now });
};
