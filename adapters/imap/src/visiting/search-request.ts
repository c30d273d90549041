import { labelsOf } from "@postern/core/mail";
import type { FoundUids, SearchCriteria } from "@postern/core/messages";
import type { ImapFlow } from "imapflow";
import type { MailboxRequest } from "./ask-each-mailbox.ts";
import { quotedName } from "../selecting/status-line.ts";
import { hasGmailLabels } from "../reading/labels.ts";
import { SearchAnswer } from "./SearchAnswer.ts";
import { searchLine } from "./search-line.ts";
import { isAboutRows } from "../reading/search-mailbox.ts";
import { searchQuery } from "../reading/search-query.ts";

export const UNSEEN = { seen: false };

/** Returns the UIDs that a search found, and which of them are unread. */
export const foundUids = (
  uidValidity: number,
  uids: ReadonlyArray<number>,
  unseen: ReadonlyArray<number>,
): FoundUids => {
  const unread = new Set(unseen);
  return { uidValidity, uids, unread: uids.filter((uid) => unread.has(uid)) };
};

/** Returns a search of a mailbox; undefined if the mailbox must be open first, or the matches must be fetched to filter them. */
export const searchRequest = (
  client: ImapFlow,
  path: string,
  criteria: SearchCriteria,
): MailboxRequest<FoundUids> | undefined => {
  const query = searchQuery(client, criteria);
  if (isAboutRows(criteria) || criteria.label !== undefined) return undefined;
  if (query === undefined) {
    return { path, lines: [], take: () => {}, answer: ({ uidValidity }) => foundUids(uidValidity, [], []) };
  }
  const [line, unseenLine, name] = [searchLine(client, query), searchLine(client, UNSEEN), quotedName(client, path)];
  if (line === undefined || unseenLine === undefined || name === undefined) return undefined;
  const isNamed = client.capabilities.has("ESEARCH");
  const answers = [new SearchAnswer(isNamed), new SearchAnswer(isNamed)] as const;
  return {
    path,
    // Plain SEARCH answers carry no tag. A SELECT between the two searches separates their answers.
    lines: isNamed ? [line, unseenLine] : [line, `SELECT ${name}`, unseenLine],
    take: (payload, _, n, { exists }) => answers[n <= 0 ? 0 : 1].take(payload, exists),
    answer: ({ uidValidity }) => {
      const [uids, unseen] = [answers[0].uids(), answers[1].uids()];
      return uids === undefined || unseen === undefined ? undefined : foundUids(uidValidity, uids, unseen);
    },
  };
};

const FLAGS = /^\* FLAGS \(([^()]*)\)/i;

/** Returns a visit that reads the labels of a mailbox from FLAGS; undefined on Gmail, where each folder is a label. */
export const labelRequest = (client: ImapFlow, path: string): MailboxRequest<ReadonlyArray<string>> | undefined => {
  if (hasGmailLabels(client)) return undefined;
  let flags: ReadonlyArray<string> | undefined;
  const take = (payload: Buffer): void => {
    flags = FLAGS.exec(payload.toString("latin1"))?.[1]?.split(" ").filter(Boolean) ?? flags;
  };
  return { path, lines: [], take, answer: () => flags && labelsOf(flags) };
};
