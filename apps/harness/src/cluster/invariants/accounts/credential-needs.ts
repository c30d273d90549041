import { AccountDirectory } from "@postern/core/accounts";
import { AccountSessions, CredentialVault, Sessions } from "@postern/core/auth";
import { DraftRecords } from "@postern/core/drafts";
import { FolderRemovals } from "@postern/core/folders";
import { OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Endpoints } from "@postern/core/webhooks";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";

/** The maximum time for which an account without a need keeps its credential, in milliseconds. */
const SOON = 6_000;

/**
 * Once nothing is due, each account that was ever signed in has a credential if and only if one of these needs it: a
 * session, an endpoint, an unsent message or draft, an unfinished removal of a folder, or its application. Without
 * another need, the end of the last session erases the credential. [S3.7-5] [S3.7-6]
 */
export const credentialNeeds: Invariant = {
  name: "credential-needs",
  watch: (cluster) => {
    const accounts = new Set<AccountId>();
    const check = () => {
      for (const account of accounts) {
        const [isKept, needs] = cluster.ask(() =>
          Effect.all([hasCredential(cluster, account), needsOf(cluster, account)]),
        );
        const violate = (detail: string) => cluster.violate("credential-needs", `${account} ${detail}`);
        if (isKept && needs.length === 0) violate("keeps a credential that nothing needs");
        if (!isKept && needs.length > 0) violate(`has no credential although it has ${needs.join(" and ")}`);
      }
    };
    return {
      answered: ({ port, method, args }) => {
        if (port === "CredentialVault" && method === "keep") accounts.add(args[0] as AccountId);
      },
      calm: (visit) =>
        Effect.gen(function* () {
          const account = yield* visit.signUp("signing-out");
          yield* visit.signIn(account);
          const { items } = yield* visit.ask("sessions", (services) =>
            Context.get(services, AccountSessions).page(account, {}),
          );
          const isKept = () => cluster.ask(() => hasCredential(cluster, account));
          for (const { id } of items) {
            visit.expect(isKept(), "an account with a session lost its credential");
            yield* visit.ask("sign out", (services) => Context.get(services, AccountSessions).end(account, id));
          }
          yield* visit.within(SOON, "a credential is kept after the last session", () => !isKept());
        }),
      quiet: check,
      aged: check,
    };
  },
};

const hasCredential = ({ wiring }: Cluster, account: AccountId) =>
  Effect.map(Context.get(wiring.outside, CredentialVault).find(account), Option.isSome);

const needsOf = ({ wiring: { outside }, timeline }: Cluster, account: AccountId) =>
  Effect.gen(function* () {
    const needs: ReadonlyArray<readonly [string, boolean]> = [
      ["a session", yield* Context.get(outside, Sessions).hasLive(account, timeline.now)],
      ["an endpoint", (yield* Context.get(outside, Endpoints).list({ _tag: "Account", account })).length > 0],
      ["an unsent message", yield* Context.get(outside, OutgoingJournal).hasUnfinished(account)],
      ["an unsent draft", yield* Context.get(outside, DraftRecords).hasUnfinished(account)],
      ["an unfinished removal", (yield* Context.get(outside, FolderRemovals).unfinished(account)).length > 0],
      [
        "an application",
        Option.exists(yield* Context.get(outside, AccountDirectory).find(account), (one) => one.managed),
      ],
    ];
    return needs.flatMap(([name, isThere]) => (isThere ? [name] : []));
  });
