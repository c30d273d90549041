import { AccountDirectory, stateOf } from "@postern/core/accounts";
import { type Grant, Grants } from "@postern/core/oauth";
import { OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import { factsOf } from "../../Fact.ts";
import type { Incarnation } from "../../timeline/Incarnation.ts";
import type { Invariant } from "../../Invariant.ts";
import type { PresentedToken } from "../../servers/OAuthProviders.ts";

/** A node's right to present a refresh token, from the store's answer to its claim on. */
interface Turn {
  readonly node: Incarnation;
  readonly token: string;
  readonly refreshToken: string | null;
  until: number;
  isPresented: boolean;
  /** Whether the provider issued a token and the answer with the token is stored. */
  isIssued: boolean;
  isSettled: boolean;
}

/**
 * A refresh token is presented only under a lease, once per lease, and never after its successor was stored. A token is
 * presented again only after the earlier lease ended. An account whose grant was lost is reported once, and recovers by
 * a new consent. [S11.4-4]
 */
export const grants: Invariant = {
  name: "grants",
  watch: (cluster) => {
    const violate = (detail: string) => cluster.violate("grants", detail);
    const turns = new Map<AccountId, Array<Turn>>();
    const ended = new Set<AccountId>();
    const refusals = new Set<string>();
    const turnsOf = (account: AccountId) => {
      const known = turns.get(account) ?? [];
      turns.set(account, known);
      return known;
    };

    /** Records that the store changed the grant during a refresh. */
    const changed = (account: AccountId, node: Incarnation, grant: Grant) => {
      const last = turnsOf(account).at(-1);
      if (grant.state === "refreshing" && grant.lease!.token === last?.token) {
        if (last.node !== node) violate(`${node.name} renews the lease of ${last.node.name} on ${account}`);
        return void (last.until = grant.lease!.until);
      }
      if (grant.state === "refreshing") {
        if (ended.has(account)) violate(`${node.name} refreshes ${account}, which needs a consent`);
        if (last !== undefined && !last.isSettled && last.until > node.millis()) {
          violate(`${node.name} refreshes ${account}, which ${last.node.name} holds`);
        }
        const refreshToken = grant.refreshToken === null ? null : Redacted.value(grant.refreshToken);
        const { token, until } = grant.lease!;
        const turn = { node, token, refreshToken, until, isPresented: false, isIssued: false, isSettled: false };
        return void turnsOf(account).push(turn);
      }
      if (last === undefined || last.node !== node || last.isSettled) {
        return violate(`${node.name} settles a refresh of ${account} without a lease`);
      }
      last.isSettled = true;
      last.isIssued = grant.state === "active";
      if (grant.state !== "needs_reauth") return;
      ended.add(account);
      if (isAlive(cluster, grant)) violate(`${account} needs a consent although its provider takes the refresh token`);
    };

    const presented = ({ node, account, refreshToken }: PresentedToken) => {
      const known = turnsOf(account);
      const turn = known.findLast((one) => one.node === node && one.refreshToken === refreshToken);
      if (turn === undefined) return violate(`${node.name} presents a refresh token of ${account} without a lease`);
      if (turn.isPresented) return violate(`${node.name} presents a refresh token of ${account} twice`);
      turn.isPresented = true;
      const before = known
        .slice(0, known.indexOf(turn))
        .find((one) => one.refreshToken === refreshToken && one.isIssued);
      if (before !== undefined && providerOf(cluster, account).tokens.conduct.rotation !== "none") {
        violate(`${node.name} presents a refresh token of ${account} that ${before.node.name} replaced`);
      }
    };

    cluster.providers.observers.push(presented);
    return {
      answered: ({ node, port, method, args, answer }) => {
        const account = args[0] as AccountId;
        if (port === "CredentialVault" && method === "markRejected") refusals.add(`${account} ${String(args[1])}`);
        if (port !== "Grants") return;
        if (method === "keep") {
          const kept = args[0] as Grant;
          // A refresh of the replaced grant may still be in flight to the provider.
          for (const turn of turnsOf(kept.account)) turn.isSettled = true;
          ended.delete(kept.account);
        }
        if (method !== "change") return;
        // A call that records a refusal answers whether the grant is still the refused one.
        const after = Option.getOrUndefined(answer as Option.Option<Grant | boolean | undefined>);
        if (typeof after === "object") changed(account, node, after);
      },
      quiet: () => {
        for (const { account } of cluster.providers.all) {
          const [grant, known, queued] = cluster.ask((ports) =>
            Effect.all([
              Context.get(ports, Grants).find(account),
              Context.get(ports, AccountDirectory).find(account),
              Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 1_000),
            ]),
          );
          if (Option.isNone(grant) || Option.isNone(known)) {
            violate(`${account} was never connected`);
            continue;
          }
          const announced = eventsOf(cluster, account, "email.received").map((event) => dataOf(event, "messageId"));
          for (const { messageId } of factsOf(cluster.facts, "MailArrived").filter(
            (fact) => fact.account === account,
          )) {
            const times = announced.filter((id) => id === messageId).length;
            if (times !== 1) violate(`${messageId} for ${account} is announced ${times} times`);
          }
          const failed = eventsOf(cluster, account, "account.auth_failed").length;
          const recovered = eventsOf(cluster, account, "account.recovered").length;
          const refused = [...refusals].filter((one) => one.startsWith(`${account} `)).length;
          const state = stateOf(known.value);
          if (state !== "active") violate(`${account} is ${state} although its user consents when told`);
          if (state === "active" && !isAlive(cluster, grant.value))
            violate(`the grant of ${account} is lost in silence`);
          if (failed !== refused) violate(`${account} was refused ${refused} times and reported ${failed} times`);
          if (failed - recovered !== (state === "needs_reauth" ? 1 : 0)) {
            violate(`${account} is ${state} after ${failed} refusals and ${recovered} recoveries`);
          }
          for (const { message } of queued) {
            for (const { address, state: sending } of message.recipients) {
              if (sending === "queued" || sending === "dot")
                violate(`${message.subject} waits for ever, for ${address}`);
              const copies = cluster.smtp.copiesOf(message.id, address);
              if (copies > 1 || (sending === "sent" && copies === 0)) violate(`${copies} copies of ${message.subject}`);
            }
          }
        }
      },
    };
  },
};

const providerOf = ({ providers }: Cluster, account: AccountId) =>
  providers.all.find((one) => one.account === account)!;

/** Returns whether the provider accepts the refresh token of a grant. */
const isAlive = (cluster: Cluster, { account, refreshToken }: Grant): boolean =>
  refreshToken !== null && providerOf(cluster, account).tokens.accepts(Redacted.value(refreshToken));
