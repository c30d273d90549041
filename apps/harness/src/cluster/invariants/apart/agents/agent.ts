import type { ServiceKey } from "@postern/core/auth";
import { type Approval, Approvals } from "@postern/core/drafts";
import type { SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../events-of.ts";
import type { Visit } from "../../../Visit.ts";
import { operatorOf } from "../applications/operator.ts";

type SendRequest = Parameters<Approvals["Service"]["send"]>[1];

/** The answer to an agent: the id of what was sent, the approval that a person is asked for, or the tag of an error. */
interface Answer {
  readonly sent?: string;
  readonly approval?: Approval;
  readonly refused?: string;
}

/** Returns an agent that asks to send for an account, and the people who decide. */
export const agentOf = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const approvals = <A, E>(use: (all: Approvals["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("approvals", (services) => use(Context.get(services, Approvals)));
  const tagOf = <A, E extends { readonly _tag: string }>(use: (all: Approvals["Service"]) => Effect.Effect<A, E>) =>
    visit.tagOf("approvals", (services) => use(Context.get(services, Approvals)));
  const { make } = operatorOf(visit, cluster);
  return {
    visit,
    cluster,
    account,
    approvals,
    tagOf,
    /** Makes a key of an agent that asks for each message, unless `more` gives it other rights. */
    key: (
      more: Partial<Pick<ServiceKey, "scopes" | "sendPolicy" | "sendPerDay" | "expiresAt">> = {},
    ): Effect.Effect<SendingKey & { readonly key: ServiceKey }, unknown> =>
      Effect.map(make("agents", { scopes: ["mail:draft"], ...more }), ({ by, key }) => ({ ...by, key })),
    /** Asks to send a message; by default to one friend. */
    ask: (by: SendingKey, subject: string, more: SendRequest = {}, key?: string): Effect.Effect<Answer> =>
      approvals((all) =>
        all.send(account, { to: "friend@far.test", subject, text: "simulated", ...more }, key, by),
      ).pipe(
        Effect.map((answer) => ("approval" in answer ? answer : { sent: answer.receipt.id })),
        Effect.catch(({ _tag: refused }) => Effect.succeed({ refused })),
      ),
    approve: (id: string, version: number | undefined, by: Pick<SendingKey, "id"> | null = null) =>
      tagOf((all) => all.approve(account, id, version === undefined ? undefined : String(version), by)),
    find: (id: string): Effect.Effect<Approval, unknown> => approvals((all) => all.find(account, id)),
    /** Returns the states that events report about an approval. */
    told: (id: string) =>
      eventsOf(cluster, account)
        .filter((event) => dataOf(event, "approvalId") === id)
        .map((event) => (event.type === "approval.requested" ? "requested" : String(dataOf(event, "state")))),
    copies: (subject: string) =>
      cluster.smtp.taken.filter(
        ({ from, raw }) => from === account && new TextDecoder().decode(raw).includes(`Subject: ${subject}\r\n`),
      ).length,
  };
};
export type AgentUser = ReturnType<typeof agentOf>;
