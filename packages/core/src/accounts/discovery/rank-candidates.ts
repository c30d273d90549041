import { Array, Option } from "effect";
import type { AccountServers } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import { domainOf } from "../operator-servers.ts";
import type { NamedServers } from "../ports/DiscoverySources.ts";
import type { KnownProvider } from "./KnownProvider.ts";
import type { NamedServer } from "./NamedServer.ts";
import { providerOfDomain, providerOfImapHost, providerOfMx } from "./known-provider-of.ts";
import { imaps, smtps, submission } from "./usual-ports.ts";
import type { CandidateSource, ServerCandidate } from "./ServerCandidate.ts";
import { PASSWORD } from "./SignIn.ts";
import { serverFor } from "./server-for.ts";

/** The answers of the sources for one domain. */
export interface SourceAnswers {
  readonly autoconfig: NamedServers;
  readonly srv: NamedServers;
  readonly ispdb: NamedServers;
  readonly mx: ReadonlyArray<string>;
}

/** Returns the candidate for an address on the servers of the deployment. */
export const operatorCandidate = (servers: AccountServers): ServerCandidate => ({
  source: "operator",
  reason: "This service is set up with these servers for the domain.",
  provider: undefined,
  ...servers,
  signIn: [PASSWORD],
});

/** Returns the pair of servers of an address whose domain belongs to a known provider, without asking a source. */
export const knownCandidate = (account: AccountId): Option.Option<ServerCandidate> => {
  const provider = providerOfDomain(domainOf(account));
  return provider === undefined
    ? Option.none()
    : candidateOf(
        account,
        "known_provider",
        `${provider.name} gives out addresses of this domain.`,
        ofProvider(provider),
      );
};

/**
 * Returns the pairs of servers that the sources propose for an address, in the order of `CANDIDATE_SOURCES`, each pair
 * once. A source that names only one of the two servers proposes nothing. Guesses are made only if no source proposes a
 * pair.
 */
export const rankCandidates = (
  account: AccountId,
  answers: SourceAnswers,
): Array.NonEmptyReadonlyArray<ServerCandidate> => {
  const domain = domainOf(account);
  const found = Array.getSomes([
    candidateOf(
      account,
      "autoconfig",
      `${domain} publishes these servers in an autoconfig document.`,
      answers.autoconfig,
    ),
    candidateOf(account, "srv", `${domain} publishes these servers in SRV records.`, answers.srv),
    candidateOf(account, "ispdb", "The provider database of this service lists the domain.", answers.ispdb),
    ofMx(account, answers.mx),
  ]);
  return Array.isReadonlyArrayNonEmpty(found) ? Array.dedupeWith(found, haveSameServers) : guesses(domain);
};

const candidateOf = (
  account: AccountId,
  source: CandidateSource,
  reason: string,
  { imap, smtp, signIn }: NamedServers,
): Option.Option<ServerCandidate> =>
  Option.map(
    Option.all([
      Array.findFirst(imap, (named) => serverFor(account, named)),
      Array.findFirst(smtp, (named) => serverFor(account, named)),
    ]),
    ([imapServer, smtpServer]) => {
      const provider = providerOfDomain(domainOf(account)) ?? providerOfImapHost(imapServer.host);
      const kinds = provider?.signIn ?? (signIn.length > 0 ? signIn : [PASSWORD]);
      return { source, reason, provider, imap: imapServer, smtp: smtpServer, signIn: kinds };
    },
  );

const ofProvider = ({ imap, smtp, signIn }: KnownProvider): NamedServers => ({ imap: [imap], smtp: [smtp], signIn });

const ofMx = (account: AccountId, hosts: ReadonlyArray<string>): Option.Option<ServerCandidate> =>
  Option.flatMap(
    Array.findFirst(hosts, (host) =>
      Option.map(Option.fromUndefinedOr(providerOfMx(host)), (provider) => ({ host, provider })),
    ),
    ({ host, provider }) =>
      candidateOf(
        account,
        "mx",
        `${host}, which takes mail for the domain, belongs to ${provider.name}.`,
        ofProvider(provider),
      ),
  );

/** Host names that many providers use for their mail servers. */
const guesses = (domain: string): Array.NonEmptyReadonlyArray<ServerCandidate> => [
  guess(imaps(`imap.${domain}`), smtps(`smtp.${domain}`)),
  guess(imaps(`imap.${domain}`), submission(`smtp.${domain}`)),
  guess(imaps(`mail.${domain}`), smtps(`mail.${domain}`)),
  guess(imaps(`mail.${domain}`), submission(`mail.${domain}`)),
];

const guess = (imap: NamedServer, smtp: NamedServer): ServerCandidate => ({
  source: "guess",
  reason: "No source names servers for the domain. Many providers use these names for their servers.",
  provider: undefined,
  imap: { ...imap, origin: "account" },
  smtp: { ...smtp, origin: "account" },
  signIn: [PASSWORD],
});

const haveSameServers = (one: ServerCandidate, other: ServerCandidate): boolean =>
  (["imap", "smtp"] as const).every(
    (kind) =>
      one[kind].host === other[kind].host &&
      one[kind].port === other[kind].port &&
      one[kind].tls === other[kind].tls &&
      one[kind].username === other[kind].username,
  );
