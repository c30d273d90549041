import { type BodyPart, leavesOf } from "../mail/index.ts";
import type { EncodedBody } from "./ports/MessageParser.ts";

/** A part that is shown as text. Parts with one `group` come from one multipart/alternative. */
export interface ChosenBody {
  readonly group: number;
  readonly part: BodyPart;
}

/** The maximum number of parts of one message that are shown as text. */
const MAX_BODIES = 50;

/** The maximum depth of nested parts that are read. Mail programs do not nest deeper. */
const MAX_DEPTH = 100;

/** Returns the texts that a reader of the message sees, in order (spec 5). */
export const chooseBodies = (structure: BodyPart): ReadonlyArray<ChosenBody> => {
  const chosen: Array<ChosenBody> = [];
  let groups = 0;
  const walk = (part: BodyPart, group: number | undefined, depth: number): void => {
    if (chosen.length >= MAX_BODIES || depth > MAX_DEPTH) return;
    if (!part.type.startsWith("multipart/")) {
      if (isShownText(part)) chosen.push({ group: group ?? groups++, part });
      return;
    }
    const inner = group ?? (part.type === "multipart/alternative" ? groups++ : undefined);
    for (const child of part.parts) walk(child, inner, depth + 1);
  };
  walk(structure, undefined, 0);
  return chosen;
};

const isShownText = ({ type, disposition, name }: BodyPart): boolean =>
  (type === "text/plain" || type === "text/html") && disposition !== "attachment" && name === null;

/** The maximum size of a calendar that is read as an invitation. */
const MAX_CALENDAR_BYTES = 256 * 1024;

/** Returns the calendar of a message; undefined if there is none of at most `MAX_CALENDAR_BYTES`. */
export const calendarIn = (structure: BodyPart | null): BodyPart | undefined =>
  structure === null
    ? undefined
    : leavesOf(structure).find(({ type, size }) => type === "text/calendar" && size <= MAX_CALENDAR_BYTES);

/** The text to preview. `plain`: the first plain text, or else the first text. `html`: the first HTML. */
export type PreviewedText = "plain" | "html";

/** The number of bytes of a text that are read for its preview. The style sheets of a newsletter may take more than 20 KiB of its HTML. */
export const PREVIEW_BYTES: Readonly<Record<PreviewedText, number>> = { plain: 2048, html: 32 * 1024 };

/** Returns the text to preview from the first group of texts; null if there is none. */
export const choosePreview = (structure: BodyPart, kind: PreviewedText): ChosenBody | null => {
  const bodies = chooseBodies(structure);
  const group = bodies.filter((body) => body.group === bodies[0]!.group);
  const found = group.find(({ part }) => part.type === `text/${kind}`);
  return found ?? (kind === "plain" ? (group[0] ?? null) : null);
};

/** Returns the bytes of a chosen text with its transfer encoding and charset. */
export const encodedBodyOf = ({ group, part }: ChosenBody, bytes: Uint8Array): EncodedBody => ({
  group,
  type: part.type === "text/html" ? "text/html" : "text/plain",
  parameters: part.parameters,
  encoding: part.encoding,
  bytes,
});
