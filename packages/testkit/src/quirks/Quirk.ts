/** A capability as in a CAPABILITY response, such as `LIST-STATUS`. */
type Capability = string;

type Replacement = string | ((...matched: ReadonlyArray<string>) => string);

/**
 * One way in which a server differs from the one behind the proxy. Expressions match a whole line, which for a command
 * includes the tag and excludes literals.
 */
export type Quirk = {
  /** The source of the observation: an issue `owner/repository#number`, or a source file of another project. */
  readonly evidence: string;
} & (
  | { readonly kind: "adds"; readonly capabilities: ReadonlyArray<Capability> }
  /** Removes capabilities from announcements, and answers BAD to commands that need them. */
  | { readonly kind: "removes"; readonly capabilities: ReadonlyArray<Capability> }
  /** Answers a command without forwarding it; `answer` has no tag. */
  | { readonly kind: "refuses"; readonly command: RegExp; readonly answer: string }
  | { readonly kind: "rewrites command"; readonly command: RegExp; readonly to: Replacement }
  /** Replaces part of a response; drops a line that becomes empty. */
  | { readonly kind: "rewrites response"; readonly response: RegExp; readonly to: Replacement }
  /** Sends lines before the end of a command that succeeded. */
  | { readonly kind: "inserts"; readonly command: RegExp; readonly lines: string }
  | { readonly kind: "delays"; readonly response: RegExp; readonly millis: number }
  /** Ends the connection after these bytes of a response. */
  | { readonly kind: "cuts"; readonly response: RegExp; readonly bytes: number }
  /** Sends every response in pieces of this many bytes. */
  | { readonly kind: "splits"; readonly bytes: number }
  /** Imitates Gmail's extensions: ids of messages and conversations; EXPUNGE archives outside Trash and Spam. */
  | { readonly kind: "labels" }
);
