/** An assistant that may ask people for access to their mailboxes: a public client of OAuth 2.1 (spec 13.3). */
export interface AssistantClient {
  /** The `client_id`: the URL of the client's document, or an id that Postern made. */
  readonly id: string;
  /** The name from the client itself or from the operator. */
  readonly name: string;
  readonly redirectUris: ReadonlyArray<string>;
  /** The source of this data: the document at the URL `id`, the operator, or the client's own registration. */
  readonly source: "document" | "operator" | "registered";
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The client of a code or a grant, as shown when the person consented. */
export interface ClientIdentity {
  readonly id: string;
  readonly name: string;
  /** The host that served the client's document; null if there is no document. */
  readonly host: string | null;
}
