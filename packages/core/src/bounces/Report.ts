/** The fields of the returned message, as the report quotes them. */
export interface ReturnedMessage {
  /** Every Message-ID in the report, with angle brackets; the returned message's own comes first. */
  readonly messageIds: ReadonlyArray<string>;
  /** The ENVID of the submission (RFC 3461, 4.4) as written in the report. */
  readonly envelopeId: string | null;
  readonly subject: string | null;
  readonly from: string | null;
  readonly to: ReadonlyArray<string>;
}

/** The result for one recipient (`email.bounced` and `email.delayed`, spec 7). */
export interface RecipientReport {
  /** The address for which delivery failed, as written in the report. */
  readonly address: string;
  /** The address to which the message was sent, if the report names another one (ORCPT, aliases, forwarding). */
  readonly originalRecipient: string | null;
  /** `permanent`: the reporter gave up, whatever the class of the status. `transient`: the reporter keeps trying. */
  readonly type: "permanent" | "transient";
  /** An enhanced status code (RFC 3463), derived from the reply or the text if the report has none. */
  readonly status: string;
  readonly diagnosticCode: string | null;
  readonly reportingMta: string | null;
}

/** The result of reading a possible report. `family` names the rule that recognised the format. */
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
      /** The recipients who complained; empty if the reporter redacted them. */
      readonly recipients: ReadonlyArray<string>;
      readonly reportingMta: string | null;
      readonly returned: ReturnedMessage;
    }
  | { readonly kind: "none"; readonly reason: NoReport };

/** The reason why a message is not a report. */
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

export const MAX_REPORTED_RECIPIENTS = 50;
export const MAX_DIAGNOSTIC_CHARS = 500;
