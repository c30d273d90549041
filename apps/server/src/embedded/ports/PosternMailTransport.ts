/** Sends messages by an API that accepts or refuses a message for all recipients in one answer. */
export interface PosternMailTransport {
  /**
   * Makes one attempt. If the promise rejects, or the process ends before it resolves, the message may have been sent:
   * its outcome is unknown, and the service does not try again.
   */
  readonly send: (mail: MailAttempt) => Promise<AttemptResult>;
  /** The largest message in bytes that the API takes; larger ones are refused. */
  readonly maxMessageBytes?: number;
}

/** One attempt at a message: the message and its envelope. */
export interface MailAttempt {
  /** Identifies the message: the same at every attempt. */
  readonly id: string;
  /** The account that sends. */
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
 * The result of an attempt. `refused` is repeated later if it is `temporary`, as is `not_sent`: the API did not receive
 * the message. `credential_refused` pauses sending until the next sign-in. `detail` is shown to the sender.
 */
export type AttemptResult =
  | { readonly result: "accepted"; readonly detail?: string }
  | { readonly result: "refused"; readonly detail: string; readonly temporary?: boolean }
  | { readonly result: "not_sent"; readonly detail: string }
  | { readonly result: "credential_refused" };
