import type { Charset } from "./charsets.ts";
import type { Composition } from "./compose.ts";
import type { FileId } from "./files.ts";
import type { PersonId } from "./people.ts";

/** Letters that answer one another, the first of them written so many days before now. */
export interface Conversation {
  readonly subject: string | null;
  readonly daysAgo: number;
  /** Where Robin keeps what others wrote; INBOX unless said. */
  readonly folder?: string;
  readonly letters: ReadonlyArray<Letter>;
}

export interface Letter {
  readonly by: PersonId;
  /** By default Robin; for a letter of Robin's, the person who wrote before or the next one written to. */
  readonly to?: ReadonlyArray<PersonId>;
  readonly cc?: ReadonlyArray<PersonId>;
  /** How many hours after the letter before. */
  readonly hours?: number;
  readonly text: string;
  /** Also as HTML, above the picture of this Content-ID, which is one of the files. */
  readonly rich?: string;
  readonly files?: ReadonlyArray<FileId>;
  readonly flagged?: true;
  readonly charset?: Charset;
  readonly encoding?: NonNullable<Composition["encoding"]>;
}
