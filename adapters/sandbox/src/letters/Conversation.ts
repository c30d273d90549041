import type { Charset } from "./charsets.ts";
import type { Composition } from "./compose.ts";
import type { FileId } from "./files.ts";
import type { PersonId } from "./people.ts";

/** Letters that reply to one another; the first was written `daysAgo` days before now. */
export interface Conversation {
  readonly subject: string | null;
  readonly daysAgo: number;
  /** Robin's folder for the messages of other people; INBOX by default. */
  readonly folder?: string;
  readonly letters: ReadonlyArray<Letter>;
}

export interface Letter {
  readonly by: PersonId;
  /** Recipients. By default Robin; for a letter by Robin, the previous writer or the next recipient. */
  readonly to?: ReadonlyArray<PersonId>;
  readonly cc?: ReadonlyArray<PersonId>;
  /** Hours after the previous letter. */
  readonly hours?: number;
  readonly text: string;
  /** The Content-ID of a picture among the files. The letter then also has HTML with the picture below its text. */
  readonly rich?: string;
  readonly files?: ReadonlyArray<FileId>;
  readonly flagged?: true;
  readonly charset?: Charset;
  readonly encoding?: NonNullable<Composition["encoding"]>;
}
