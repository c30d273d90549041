/** An assistant that may ask people for access to their mailboxes: a public client of OAuth 2.1 (spec 13.3). */
export interface AssistantClient {
  /** Its `client_id`: the URL of its document, or an id that the service made. */
  readonly id: string;
  /** The name that it gives itself, or that the operator gave it. */
  readonly name: string;
  readonly redirectUris: ReadonlyArray<string>;
  /** Who says what the client is: its document at the URL `id`, the operator, or the client itself by registering. */
  readonly source: "document" | "operator" | "registered";
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The client of a code or a grant, as it was when the person consented. */
export interface ClientIdentity {
  readonly id: string;
  readonly name: string;
  /** The host from which its document was read; null if there is no document. */
  readonly host: string | null;
}
