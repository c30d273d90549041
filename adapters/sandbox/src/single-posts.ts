import { momentOf, newMessageId } from "./chance.ts";
import type { Composition } from "./letters/compose.ts";
import { letterHtml } from "./letters/html.ts";
import { PEOPLE } from "./letters/people.ts";
import type { Post } from "./letters/Post.ts";

/** A subject of 3,000 characters, as some automatic senders write. */
const LONG_SUBJECT = `Nightly report: ${Array.from({ length: 300 }, (_, n) => `job-${n} ok`).join(", ")}`
  .slice(0, 2999)
  .concat(".");

const WELCOME =
  "Welcome to Postern's sandbox.\n\nThis mailbox lives in memory: it is created again each time the service starts, and nothing leaves it. " +
  "It is Robin's, an architect with a large family and a full desk. Sam's is friend@postern.test, with the same password.\n\n" +
  "List it, page through it, open its folders; the API reference is at /docs.";

/** Returns messages outside conversations and series: a greeting, drafts, and edge cases for listings. */
export const singlePosts = (now: number, chance: () => number): ReadonlyArray<Post> => {
  const post = (
    daysAgo: number,
    folder: string,
    flags: ReadonlyArray<string>,
    message: Pick<Composition, "from" | "to" | "subject" | "text"> & Partial<Composition>,
  ): Post => ({
    folder,
    flags,
    message: {
      id: newMessageId(message.from.address, chance),
      sentAt: daysAgo === 0 ? now - 60_000 : momentOf(now, daysAgo, chance),
      ...message,
    },
  });
  const { robin, sam, ada, theo, helen, lena, priya, ...others } = PEOPLE;
  return [
    post(0, "INBOX", [], {
      from: { name: "Postern", address: "hello@postern.test" },
      to: [robin],
      subject: "Welcome to the sandbox 👋",
      text: WELCOME,
      html: letterHtml(WELCOME, undefined),
    }),
    post(2, "INBOX", ["\\Seen"], {
      from: { name: "Build Robot", address: "robot@build.northwind.test" },
      to: [robin],
      subject: LONG_SUBJECT,
      text: "All green. The subject says which.\n",
    }),
    post(36, "INBOX", ["\\Seen"], {
      from: ada,
      to: [robin, lena, priya, ...Object.values(others)],
      cc: [{ name: 'Vale, Theo ("the brother")', address: theo.address }, helen, sam],
      subject: "Studio party: all of you, all of yours",
      text: "Friday in two weeks, from six, in the courtyard. Bring nothing, or a chair.\n\nAda\n",
    }),
    post(1, "Drafts", ["\\Draft", "\\Seen"], {
      from: robin,
      to: [helen],
      subject: "The plum cake",
      text: "Dear Mum,\n\nit was the best one yet. Could you write down\n",
    }),
    post(16, "Drafts", ["\\Draft", "\\Seen"], {
      from: robin,
      to: [PEOPLE.renee],
      subject: "Escalier : échantillon huilé",
      text: "Bonjour Renée,\n\n",
    }),
  ];
};
