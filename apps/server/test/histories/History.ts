/** What a client asked for, and of which thing: a draft, a folder, a message, a session or a key. */
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

/** What a client learned: the parts of an answer that the rules compare. */
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
  /** When the request was about to leave. */
  readonly from: number;
  /** When its answer had arrived; infinite where none did, because its effect may come at any time. */
  readonly until: number;
  /** Missing where the connection broke or the service failed: the request may have had its effect. */
  readonly answer?: Answer;
}

/** What clients did and were told, and what reached the SMTP server. */
export interface History {
  readonly steps: ReadonlyArray<Step>;
  /** The subject of each message that the SMTP server took. */
  readonly taken: ReadonlyArray<string>;
  /** The subjects of messages that the outbox reports as sent or not, it cannot know which (spec 6.3). */
  readonly unknown: ReadonlyArray<string>;
}

/** A rule that a history breaks, and the steps that show it. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}
