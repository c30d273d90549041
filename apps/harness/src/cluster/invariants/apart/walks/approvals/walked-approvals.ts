import { type Approval, Drafts } from "@postern/core/drafts";
import type { SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { agentOf } from "../../agents/agent.ts";
import { DAY, SECOND } from "../../durations.ts";
import { type AskAnswer, askedApprovals } from "./asked-approvals.ts";
import type { WalkedApproval, WalkedDraft } from "./WalkedApproval.ts";

const FRIENDS = ["one@far.test", "two@far.test", "three@far.test"] as const;
/** A time longer than an act takes, apart from those that pick the end of an approval. */
const LONGEST_ACT = 10 * SECOND;
/** How long an approval is kept at least after its decision, and how long at most. */
const KEPT = { least: 90 * DAY, most: 98 * DAY };

type Run<A, E = unknown> = Effect.Effect<A, E>;

/** Returns the agents of an account, the person who decides, and a model of their drafts and approvals. */
export const walkedApprovals = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const agent = agentOf(visit, cluster, account);
  const { random } = cluster;
  const drafts: Array<WalkedDraft> = [];
  const approvals: Array<WalkedApproval> = [];
  /** How often a subject is sent. */
  const copies = new Map<string, number>();
  /** The addresses to which the owner, or a person by an approval, wrote. */
  const written = new Set<string>();
  const isPending = (one: WalkedApproval) => one.state === "pending" && visit.now < one.expiresAt;
  const asked = askedApprovals(visit, approvals, written, isPending);
  const { limits } = asked;
  const endOne = (one: WalkedApproval, state: Approval["state"], reason: string | null = null) =>
    Object.assign(one, { state, reason, decidedAt: visit.now });
  let subjects = 0;
  return {
    account,
    copies: agent.copies,
    told: agent.told,
    approve: agent.approve,
    ask: (by: SendingKey, subject: string, to: string, key?: string): Run<AskAnswer> =>
      agent.ask(by, subject, { to }, key),
    /** Asks for the sending of a draft; returns the approval, or the tag of an error. */
    askForDraft: (by: SendingKey, draft: string, version: number | undefined): Run<AskAnswer> =>
      agent
        .approvals((all) =>
          all.sendDraft(account, draft, version === undefined ? undefined : String(version), undefined, by),
        )
        .pipe(
          Effect.map((answer) => ("approval" in answer ? { approval: answer.approval } : {})),
          Effect.catch(({ _tag: refused }) => Effect.succeed({ refused })),
        ),
    /** The newest approvals. */
    newest: Effect.map(
      agent.approvals((use) => use.page(account, {})),
      ({ items }): ReadonlyArray<Approval> => items,
    ),
    deny: (id: string, reason: string | undefined, by: Pick<SendingKey, "id"> | null): Run<string, never> =>
      agent.tagOf((all) => all.deny(account, id, reason, by)),
    ...asked,
    /** Makes a key; some have a daily limit of their own, or by their policy. */
    newKey: Effect.gen(function* (): Effect.fn.Return<SendingKey, unknown> {
      const perDay = random.pick([null, random.between(1, 5)]);
      const isOwn = random.chance(0.5);
      if (perDay === null) return yield* agent.key();
      const policy = { to: [], perDay, approval: "always" } as const;
      const by = yield* agent.key(isOwn ? { sendPerDay: perDay } : { sendPolicy: policy });
      limits.begin(by, perDay);
      return by;
    }),
    newFriend: () => random.pick(FRIENDS),
    drafts,
    approvals,
    written,
    isPending,
    endOne,
    newSubject: () => `walk ${++subjects}.`,
    pending: () => approvals.filter(isPending),
    open: () => drafts.filter(({ isGone }) => !isGone),
    /** The version of a draft that was shown no longer exists from this time on. */
    endVersion: (draft: WalkedDraft, at = visit.now) => {
      for (const one of approvals)
        if (one.draft === draft && one.state === "pending" && at < one.expiresAt) endOne(one, "stale");
    },
    /** A draft is sent, once. */
    sent: (draft: WalkedDraft) => {
      draft.isGone = true;
      copies.set(draft.subject, 1);
      written.add(draft.to);
    },
    /** An agent sent a message by itself, which does not count as written by the owner. */
    sentAtOnce: (subject: string) => void copies.set(subject, 1),
    deadlines: () => [
      ...limits.ends(),
      ...approvals.flatMap((one) =>
        one.state === "pending" ? [one.expiresAt] : [one.decidedAt + KEPT.least, one.decidedAt + KEPT.most],
      ),
    ],
    /**
     * Compares all approvals, their events, the drafts and what was sent with the model, once no approval is about to
     * expire: whether it expires before the next act ends it, or after, would be uncertain.
     */
    compare: Effect.gen(function* (): Effect.fn.Return<void, unknown> {
      const isEnding = (one: WalkedApproval) => isPending(one) && one.expiresAt < visit.now + LONGEST_ACT;
      for (let one = approvals.find(isEnding); one !== undefined; one = approvals.find(isEnding))
        yield* visit.wait(one.expiresAt - visit.now + 1);
      for (const one of approvals) {
        if (one.state === "pending" && visit.now >= one.expiresAt) endOne(one, "expired");
        if (one.state === "expired") one.decidedAt = one.expiresAt;
      }
      const [state, limit] = [
        random.pick([undefined, undefined, "pending", "stale", "expired"] as const),
        random.between(1, 5),
      ];
      const found: Array<Approval> = [];
      let cursor: string | undefined;
      do {
        const page = yield* agent.approvals((all) => all.page(account, { state, limit, cursor }));
        visit.expect(page.items.length <= limit, "a page has more approvals than its limit");
        found.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const isDue = (one: WalkedApproval) => one.state === "pending" || visit.now < one.decidedAt + KEPT.least;
      const shown = new Map(found.map((one) => [one.id, one]));
      for (const one of approvals) {
        const is = shown.get(one.id);
        if (is === undefined) {
          const isOther = state !== undefined && state !== one.state;
          visit.expect(isOther || !isDue(one), `the approval of ${one.subject} (${one.state}) is not listed`);
          continue;
        }
        visit.expect(
          one.state === "pending" || visit.now < one.decidedAt + KEPT.most,
          "an approval is kept for too long",
        );
        visit.same(
          [is.state, is.draftId, is.version, is.by.kind, is.by.id, is.by.name, is.subject, is.reason, is.recipients],
          [
            one.state,
            one.draft.id,
            one.version,
            one.by.kind,
            one.by.id,
            one.by.name,
            one.subject,
            one.reason,
            [{ address: one.draft.to, known: one.isKnown }],
          ],
          `the approval of ${one.subject}`,
        );
        const late = one.state === "pending" ? is.decidedAt !== null : is.decidedAt === null;
        visit.expect(!late, `the approval of ${one.subject} was decided at ${is.decidedAt}`);
        visit.same(is.expiresAt, is.createdAt + 7 * DAY, "the end of a pending approval");
        // Events are kept for 14 days.
        if (visit.now - is.createdAt < 13 * DAY)
          visit.same(
            agent.told(one.id),
            one.state === "pending" ? ["requested"] : ["requested", one.state],
            `the events of the approval of ${one.subject}`,
          );
      }
      visit.expect(
        found.every((one) => approvals.some(({ id }) => id === one.id)) && shown.size === found.length,
        "an approval is listed that no agent asked for, or twice",
      );
      const order = found.map(({ createdAt }) => createdAt);
      visit.same(
        order,
        order.toSorted((one, other) => other - one),
        "the order of the approvals",
      );
      const draft = random.pick(drafts.filter(({ isGone }) => !isGone));
      if (draft === undefined) return;
      const { id, version, contents } = yield* visit.ask("draft", (services) =>
        Context.get(services, Drafts).get(account, draft.id),
      );
      visit.same([id, version, contents.subject], [draft.id, draft.version, draft.subject], "a draft");
    }),
    /** Each message was sent as often as promised. */
    compareSent: () => {
      for (const { subject } of [...drafts, ...approvals])
        visit.same(agent.copies(subject), copies.get(subject) ?? 0, `the copies of ${subject}`);
      for (const [subject, count] of copies) visit.same(agent.copies(subject), count, `the copies of ${subject}`);
    },
  };
};
export type WalkedApprovals = ReturnType<typeof walkedApprovals>;
