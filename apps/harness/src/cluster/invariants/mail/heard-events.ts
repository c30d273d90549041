import type { MailEvent } from "@postern/core/events";
import { dataOf } from "../../events-of.ts";

/** Returns the URL of a receiver. */
export const urlOf = (name: string) => `https://visit.sim.test/followed-${name}`;

/** Returns the events of POSTs: type, folder, and whether they stand for a move. */
export const heard = (posts: ReadonlyArray<{ readonly post: { readonly body: Uint8Array } }>): ReadonlyArray<string> =>
  posts
    .map(({ post }) => JSON.parse(new TextDecoder().decode(post.body)))
    .map(({ event, data }) => `${event} ${data.folder}${data.moved === true ? " moved" : ""}`)
    .toSorted();

/** Returns an event in one line: its type, its folders and its marks. */
export const lineOf = (event: MailEvent) => {
  const [folder, from, moved, source] = ["folder", "fromFolder", "moved", "source"].map((field) =>
    dataOf(event, field),
  );
  return [event.type, folder, from, moved, source].filter((part) => part !== undefined).join(" ");
};

/** Returns the events that are not about Junk: type and folder. */
export const outsideJunk = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => (line.includes("Junk") ? [] : [line.split(" ").slice(0, 2).join(" ")]));
