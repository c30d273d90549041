/** A capability as in a CAPABILITY response, such as `LIST-STATUS`. */
type Capability = string;

type Replacement = string | ((...matched: ReadonlyArray<string>) => string);

/**
 * One way in which a server differs from the one behind the proxy. An expression matches a whole line,
 * of a command with its tag; literals are not part of it.
 */
export type Quirk = {
  /** Where it was observed: an issue `owner/repository#number`, or another project's source file. */
  readonly evidence: string;
} & (
  | { readonly kind: "adds"; readonly capabilities: ReadonlyArray<Capability> }
  /** Removed capabilities are not announced, and the commands that need them are BAD. */
  | { readonly kind: "removes"; readonly capabilities: ReadonlyArray<Capability> }
  /** Answers a command itself; `answer` has no tag. */
  | { readonly kind: "refuses"; readonly command: RegExp; readonly answer: string }
  | { readonly kind: "rewrites command"; readonly command: RegExp; readonly to: Replacement }
  /** Replaces part of a response; an empty line is dropped. */
  | { readonly kind: "rewrites response"; readonly response: RegExp; readonly to: Replacement }
  /** Sends lines before the end of a command that succeeded. */
  | { readonly kind: "inserts"; readonly command: RegExp; readonly lines: string }
  | { readonly kind: "delays"; readonly response: RegExp; readonly millis: number }
  /** Ends the connection after these bytes of a response. */
  | { readonly kind: "cuts"; readonly response: RegExp; readonly bytes: number }
  /** Sends every response in pieces of so many bytes. */
  | { readonly kind: "splits"; readonly bytes: number }
  /** Gmail's extensions: ids of messages and conversations; EXPUNGE archives outside Trash and Spam. */
  | { readonly kind: "labels" }
);
