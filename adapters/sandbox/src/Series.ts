import type { Correspondent } from "./compose.ts";
import type { FileId } from "./files.ts";

/**
 * Mail that comes again and again. In subject and text `{item}` is the next of the items, `{blurb}` what follows a bar
 * in it; `{n}` counts on, and `{month}`, `{year}`, `{date}` and `{amount}` are of the day it comes.
 */
export interface Series {
  readonly from: Correspondent;
  readonly subject: string;
  readonly text: string;
  readonly items: ReadonlyArray<string>;
  /** How many of them came; the items start over where there are fewer. */
  readonly count: number;
  readonly everyDays: number;
  /** How many days ago the latest came. */
  readonly latest: number;
  readonly folder?: string;
  /** The mailing list it is of (RFC 2919); it then comes as HTML too. */
  readonly list?: string;
  readonly files?: ReadonlyArray<FileId>;
}
