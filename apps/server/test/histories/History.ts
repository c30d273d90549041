/** A request of a client, with the object that it concerns: a draft, a folder, a message, a session or a key. */
export type Act =
  | { readonly act: "create draft"; readonly text: string }
  | { readonly act: "save draft"; readonly of: string; readonly version: string; readonly text: string }
  | { readonly act: "read draft"; readonly of: string }
  | { readonly act: "remove draft"; readonly of: string; readonly version: string }
  | { readonly act: "send"; readonly key: string; readonly subject: string; readonly scheduled: boolean }
  | { readonly act: "cancel"; readonly of: string; readonly subject: string }
  | { readonly act: "create folder"; readonly name: string }
  | { readonly act: "remove folder"; readonly of: string; readonly name: string }
  | { readonly act: "list folders" }
  | { readonly act: "flag"; readonly of: string; readonly flagged: boolean }
  | { readonly act: "read flag"; readonly of: string }
  | { readonly act: "log out"; readonly of: string }
  | { readonly act: "use session"; readonly of: string };

/** The parts of an answer that the rules compare. */
export interface Answer {
  readonly status: number;
  readonly id?: string;
  readonly version?: string;
  readonly text?: string;
  readonly flagged?: boolean;
  readonly names?: ReadonlyArray<string>;
}

/** One request of a history. Times are milliseconds of one clock. */
export interface Step {
  readonly client: string;
  readonly act: Act;
  /** The time just before the request was sent. */
  readonly from: number;
  /** The time just after the answer arrived; Infinity without an answer, because the effect may come at any time. */
  readonly until: number;
  /** Absent if the connection broke or the service failed; the request may then have had its effect. */
  readonly answer?: Answer;
}

/** The requests and answers of clients, and the messages that reached the SMTP server. */
export interface History {
  readonly steps: ReadonlyArray<Step>;
  /** The subject of each message that the SMTP server took. */
  readonly taken: ReadonlyArray<string>;
  /** The subjects of messages whose outcome the outbox reports as unknown (spec 6.3). */
  readonly unknown: ReadonlyArray<string>;
}

/** A rule that a history breaks, and the steps that prove this. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}
