/** What a report tells of the message it is about, as far as it tells it. */
export interface ReturnedMessage {
  /** Every Message-ID the report names, with angle brackets; the returned message's own comes first. */
  readonly messageIds: ReadonlyArray<string>;
  /** The ENVID of the submission (RFC 3461, 4.4) as the report has it. */
  readonly envelopeId: string | null;
  readonly subject: string | null;
  readonly from: string | null;
  readonly to: ReadonlyArray<string>;
}

/** What became of one recipient (`email.bounced` and `email.delayed`, spec 7). */
export interface RecipientReport {
  /** The address that delivery failed for, as the reporter names it. */
  readonly address: string;
  /** The address it was sent to, where the report says that it was another (ORCPT, aliases, forwarding). */
  readonly originalRecipient: string | null;
  /** `permanent`: the reporter gave up, whatever the class of the status. `transient`: it goes on trying. */
  readonly type: "permanent" | "transient";
  /** An enhanced status code (RFC 3463), derived from the reply or the text where the report has none. */
  readonly status: string;
  readonly diagnosticCode: string | null;
  readonly reportingMta: string | null;
}

/** What a message in the inbox says about a message we sent. `family` is the rule that knew the format. */
export type Report =
  | {
      readonly kind: "bounce" | "delay";
      readonly family: string;
      readonly recipients: ReadonlyArray<RecipientReport>;
      readonly returned: ReturnedMessage;
    }
  | {
      readonly kind: "complaint";
      readonly family: string;
      /** RFC 5965, 3.1: `abuse`, `fraud`, `virus`, `opt-out`, `other`. */
      readonly feedbackType: string;
      /** Who complained; empty where the reporter redacted it. */
      readonly recipients: ReadonlyArray<string>;
      readonly reportingMta: string | null;
      readonly returned: ReturnedMessage;
    }
  | { readonly kind: "none"; readonly reason: NoReport };

/** Why a message reports nothing. */
export type NoReport =
  | "ordinary"
  | "auto_reply"
  | "receipt"
  | "delivered"
  | "mailing_list"
  | "challenge"
  | "digest"
  | "quoted"
  | "no_recipient";

export const RECIPIENT_LIMIT = 50;
export const DIAGNOSTIC_LIMIT = 500;
