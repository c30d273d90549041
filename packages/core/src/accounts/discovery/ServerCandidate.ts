import type { MailServer } from "../../mail/index.ts";
import type { KnownProvider } from "./KnownProvider.ts";
import type { SignIn } from "./SignIn.ts";

/** The sources of candidates, the most trusted first. */
export const CANDIDATE_SOURCES = ["operator", "known_provider", "autoconfig", "srv", "ispdb", "mx", "guess"] as const;

export type CandidateSource = (typeof CANDIDATE_SOURCES)[number];

/** A pair of mail servers that may hold the mailbox of an address. */
export interface ServerCandidate {
  readonly source: CandidateSource;
  /** One sentence on why this pair is proposed. */
  readonly reason: string;
  /** The known provider that runs the servers, if there is one. */
  readonly provider: KnownProvider | undefined;
  readonly imap: MailServer;
  readonly smtp: MailServer;
  /** The kinds of sign-in that the servers accept, the best first. */
  readonly signIn: ReadonlyArray<SignIn>;
}
