import type { Search } from "@postern/core/messages";
import type { Cluster } from "../../Cluster.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { type Criteria, inOrder, type KnownMail, matches } from "./known-mail.ts";

type Request = Parameters<Search["Service"]["list"]>[1];

/** A search with the messages that it must find, in their order. */
export interface SearchOfMail {
  readonly name: string;
  readonly request: Request;
  readonly promised: ReadonlyArray<KnownMail>;
}

/** Returns searches with the messages that they must find: by each criterion, and by some pairs of criteria. */
export const searchesOf = (all: ReadonlyArray<KnownMail>, cluster: Cluster): ReadonlyArray<SearchOfMail> => {
  const { random } = cluster;
  const some: ReadonlyArray<Criteria> = writtenForms(all).map(([criteria]) => criteria);
  const ofFields = some.map((criteria): SearchOfMail => {
    const order = random.pick(["folder", "date"] as const)!;
    const promised = inOrder(
      all.filter((one) => matches(one, criteria)),
      order,
    );
    return { name: JSON.stringify(criteria), request: { ...criteria, order }, promised };
  });
  const ofLines = writtenForms(all).flatMap(([criteria, line]): ReadonlyArray<SearchOfMail> => {
    if (line === undefined) return [];
    const promised = inOrder(
      all.filter((one) => matches(one, criteria)),
      "folder",
    );
    return [{ name: line, request: { q: line }, promised }];
  });
  const pairs = Array.from({ length: 6 }, (): SearchOfMail => {
    const both = { ...random.pick(some)!, ...random.pick(some)! };
    const promised = inOrder(
      all.filter((one) => matches(one, both)),
      "folder",
    );
    return { name: JSON.stringify(both), request: both, promised };
  });
  const excluded = inOrder(
    all.filter((one) => !one.text.includes("plan") && one.subject.includes("trip")),
    "folder",
  );
  return [
    ...ofFields,
    ...ofLines,
    ...pairs,
    { name: "a word excluded", request: { q: "-plan subject:trip" }, promised: excluded },
  ];
};

/** Returns criteria about these messages, and the same criteria in one line. */
export const writtenForms = (all: ReadonlyArray<KnownMail>): ReadonlyArray<readonly [Criteria, string?]> => {
  const [third, sixth] = [all[3]!, all[6]!];
  const [moment, day] = [new Date(sixth.arrivedAt).toISOString(), new Date(sixth.arrivedAt).toISOString().slice(0, 10)];
  const size = third.raw.length;
  return [
    [{ from: "anna" }, "from:ANNA"],
    [{ to: "list@" }, "to:list@"],
    [{ cc: "carla" }, "cc:carla"],
    [{ subject: "big plan" }, 'subject:"big plan"'],
    [{ text: "anna" }, "anna"],
    [{ text: "plan", scope: "headers" }],
    [{ messageId: third.id }],
    [{ messageId: third.id.slice(1, -1) }],
    [{ since: moment }],
    [{ before: moment }],
    [{ since: day }, `after:${day}`],
    [{ before: day }, `before:${day}`],
    [{ larger: size }],
    [{ smaller: size }],
    [{ unread: true }, "is:unread"],
    [{ unread: false }, "is:read"],
    [{ flagged: true }, "is:flagged"],
    [{ flagged: false }, "is:unflagged"],
    [{ hasAttachments: true }, "has:attachment"],
    [{ label: "TRAVEL" }, "label:travel"],
    [{ folder: "INBOX", unread: true }, "in:inbox is:unread"],
    [{ folder: ARCHIVE, from: "bert" }, `in:${ARCHIVE.toLowerCase()} from:bert`],
  ];
};
