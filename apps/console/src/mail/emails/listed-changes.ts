import { queries } from "../../api/client.ts";
import { type EmailPage, emailsRead, type EmailSource, PAGE_SIZE, pagesRead } from "./emails.ts";
import { applyPendingChanges, expectFlags, expectRemoval, type Flags } from "./pending-changes.ts";

const sourcesRead = (): ReadonlyArray<EmailSource> => {
  const keys = queries.getQueryCache().findAll({ queryKey: ["emails"] });
  return [...new Map(keys.map(({ queryKey }) => [JSON.stringify(queryKey[1]), queryKey[1] as EmailSource])).values()];
};

const write = (source: EmailSource, page: number, data: EmailPage): void =>
  void queries.setQueryData(["emails", source, page], data);

/** Sets flags of messages in all lists, and in later answers of the service. The returned function stops changing later answers. */
export const flagListed = (ids: ReadonlySet<string>, flags: Flags): (() => void) => {
  const settle = expectFlags(ids, flags);
  for (const source of sourcesRead()) {
    for (const [number, page] of pagesRead(source)) {
      if (page.emails.some(({ id }) => ids.has(id)))
        write(source, number, { ...page, emails: applyPendingChanges(page.emails) });
    }
  }
  return settle;
};

/**
 * Removes messages from all lists, and from later answers of the service; the rows below move up. The returned function
 * stops removing messages from later answers; the messages in `putBack` appear in later answers again.
 */
export const takeOut = (ids: ReadonlySet<string>): ((putBack: Iterable<string>) => void) => {
  const settle = expectRemoval(emailsRead().filter(({ id }) => ids.has(id)));
  for (const source of sourcesRead()) {
    const pages = pagesRead(source);
    const removed = [...pages.values()].flatMap(({ emails }) => emails.filter(({ id }) => ids.has(id))).length;
    if (removed === 0) continue;
    for (const run of consecutive([...pages])) {
      const rest = run.flatMap(([, { emails }]) => applyPendingChanges(emails));
      for (const [n, [number, page]] of run.entries()) {
        const emails = rest.slice(n * PAGE_SIZE, (n + 1) * PAGE_SIZE);
        write(source, number, { ...page, emails, total: page.total - removed });
      }
    }
  }
  return settle;
};

type Numbered = readonly [number, EmailPage];

/** Splits pages into runs of consecutive numbers. */
const consecutive = (pages: ReadonlyArray<Numbered>): ReadonlyArray<ReadonlyArray<Numbered>> => {
  const runs: Array<Array<Numbered>> = [];
  for (const page of pages) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)![0] === page[0] - 1) run.push(page);
    else runs.push([page]);
  }
  return runs;
};
