/** Sends messages by an API that accepts or refuses a message for all recipients in one answer. */
export interface PosternMailTransport {
  /**
   * Makes one attempt. If the promise rejects, or the process ends before it resolves, the outcome is unknown: the
   * message may have been sent, so the service does not try again.
   */
  readonly send: (mail: MailAttempt) => Promise<AttemptResult>;
  /** The largest message in bytes that the API accepts; larger messages are refused. */
  readonly maxMessageBytes?: number;
}

/** One attempt at a message: the message and its envelope. */
export interface MailAttempt {
  /** The id of the message, which is the same at every attempt. */
  readonly id: string;
  /** The address of the sending account. */
  readonly account: string;
  /** The sender of the envelope, independent of the field From. */
  readonly from: string;
  /** The recipients of the envelope, at least one. */
  readonly recipients: ReadonlyArray<string>;
  /** True for a notice of the service to the owner of the account. */
  readonly isNotice: boolean;
  /** The whole message, header fields included. */
  readonly raw: Uint8Array;
  /** Returns the user name and the password that the mail server accepted, or a current OAuth2 access token. */
  readonly credential: () =>
    | { readonly username: string; readonly password: string }
    | { readonly username: string; readonly accessToken: string };
  /** Aborts if the service gives up the attempt; the message may have been sent. */
  readonly signal: AbortSignal;
}

/**
 * The result of an attempt. A `refused` attempt is repeated later if the refusal is `temporary`. `not_sent` means that
 * the API did not receive the message, and is repeated too. `credential_refused` pauses sending until the next sign-in.
 * `detail` is shown to the sender.
 */
export type AttemptResult =
  | { readonly result: "accepted"; readonly detail?: string }
  | { readonly result: "refused"; readonly detail: string; readonly temporary?: boolean }
  | { readonly result: "not_sent"; readonly detail: string }
  | { readonly result: "credential_refused" };
