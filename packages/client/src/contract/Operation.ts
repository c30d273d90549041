/** An operation of the contract: its path, the arguments of a call after the ids of the path, and the part of the answer that the call returns. */
export interface Operation {
  /** The group and the name, such as `drafts.send`. */
  readonly call: string;
  /** Whether the operation can also be called without an account. */
  readonly own?: boolean;
  /** The method and the path. */
  readonly asks: string;
  /** The object of the operation: the account that the request names, the account of the session, or the service. */
  readonly of: "account" | "session" | "service";
  readonly body?: "json" | "file";
  /** Options that are sent as header fields, with the names of the fields; all others are parameters of the query. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The part of the answer that a call returns: one `member` or its `pages`, followed by the member's name; all `members`; `nothing`; or `bytes`. */
  readonly answer: string;
}
