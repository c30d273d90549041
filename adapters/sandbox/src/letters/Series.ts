import type { Correspondent } from "./compose.ts";
import type { FileId } from "./files.ts";

/**
 * Recurring mail. In subject and text, `{item}` is the next item and `{blurb}` the part of the item after the bar.
 * `{n}` is a counter; `{month}`, `{year}`, `{date}` and `{amount}` belong to the day of arrival.
 */
export interface Series {
  readonly from: Correspondent;
  readonly subject: string;
  readonly text: string;
  readonly items: ReadonlyArray<string>;
  /** Number of messages; the items repeat if there are fewer. */
  readonly count: number;
  readonly everyDays: number;
  /** Age in days of the latest message. */
  readonly latest: number;
  readonly folder?: string;
  /** The mailing list (RFC 2919), whose messages are also HTML. */
  readonly list?: string;
  readonly files?: ReadonlyArray<FileId>;
}
