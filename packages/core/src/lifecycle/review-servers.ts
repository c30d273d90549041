import { Effect, Option } from "effect";
import {
  type Account,
  AccountDirectory,
  Discovery,
  domainOf,
  AccountSettings,
  UpgradeTasks,
} from "../accounts/index.ts";
import { operatorServers } from "../accounts/neighbours.ts";
import type { AccountServers, MailServer } from "../mail/index.ts";
import { Apps, tokenServersOf } from "../oauth/index.ts";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import { repeatSteps, type Worker } from "../shared/neighbours.ts";

const TASK = "review the servers of accounts";

/** The number of accounts read at a time, and the maximum number of concurrent discoveries. */
const PAGE = 500;
const MAX_CONCURRENT_DOMAINS = 2;

/** The maximum number of accounts named in the warning; it also states their total number. */
const MAX_NAMED = 1_000;

const serverReviewer = Effect.all({
  settings: AccountSettings,
  tasks: UpgradeTasks,
  directory: AccountDirectory,
  discovery: Discovery,
  apps: Apps,
  ids: OpaqueIds,
});
type ServerReviewer = Effect.Success<typeof serverReviewer>;

/**
 * Compares the servers of all accounts with the servers from discovery or from their app (spec 10.3), once, in the
 * background, after an upgrade. Warns of accounts whose servers differ. Earlier releases sent a stored credential also
 * to servers that had never accepted it, so a key could change the servers to read the credential.
 */
export const serverReview = Effect.map(serverReviewer, (reviewer): Worker => {
  const review = reviewServers(reviewer);
  return {
    name: "review of servers",
    runDue: review,
    run: repeatSteps("review of servers", Effect.andThen(review, Effect.never)),
    stop: Effect.void,
    drain: () => Effect.void,
    nextDue: Effect.succeedNone,
  };
});

const reviewServers = Effect.fn("reviewServers")(function* (reviewer: ServerReviewer) {
  const { tasks } = reviewer;
  if (yield* tasks.isDone(TASK)) return 0;
  const all = yield* findDifferences(reviewer);
  if ((yield* tasks.finish(TASK)) && all.length > 0) {
    yield* Effect.logWarning(
      "accounts have other mail servers than discovery or their app gives: check who named them, because a key could read the credentials of accounts that it moved",
      { count: all.length, accounts: all.slice(0, MAX_NAMED) },
    );
  }
  return 1;
});

const findDifferences = Effect.fnUntraced(function* (reviewer: ServerReviewer) {
  const all: Array<string> = [];
  for (let after: AccountId | null = null; ;) {
    const page: ReadonlyArray<Account> = yield* reviewer.directory.list(ALL_ACCOUNTS, after, PAGE);
    // Accounts of the same domain share one discovery.
    const domains = Map.groupBy(page, ({ id }) => domainOf(id)).values();
    const reviewDomain = (accounts: ReadonlyArray<Account>) =>
      Effect.forEach(accounts, (account) => reviewAccount(reviewer, account));
    const found = yield* Effect.forEach(domains, reviewDomain, { concurrency: MAX_CONCURRENT_DOMAINS });
    all.push(...found.flat(2));
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return all;
  }
});

const reviewAccount = Effect.fnUntraced(function* (reviewer: ServerReviewer, account: Account) {
  const { servers } = account;
  if (servers === null) return [];
  const found = yield* findExpected(reviewer, account);
  const isExpected = found.some(({ imap, smtp }) => isAt(servers.imap, imap) && isAt(servers.smtp, smtp));
  return isExpected ? [] : [difference(reviewer.ids.accountId(account.id), servers, found[0]!)];
});

/** Returns the pairs of servers that are expected for the account. */
const findExpected = Effect.fnUntraced(function* (
  { settings, apps, discovery }: ServerReviewer,
  { id, provider }: Account,
) {
  const operators = operatorServers(settings, id);
  if (operators !== null) return [operators];
  const app = provider === null ? undefined : Option.getOrUndefined(yield* apps.find(provider));
  const named = app === undefined ? null : tokenServersOf({ app, issued: null }, id).named;
  return named === null ? yield* discovery.of(id) : [named];
});

const ALL_ACCOUNTS = { reach: null, state: null, tag: null, text: null };

const isAt = (one: MailServer, other: MailServer): boolean => one.host.toLowerCase() === other.host.toLowerCase();

const difference = (id: string, { imap, smtp }: AccountServers, best: AccountServers): string =>
  `${id} is at ${imap.host}:${imap.port} and ${smtp.host}:${smtp.port}, not ${best.imap.host} and ${best.smtp.host}`;
