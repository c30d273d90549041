import type { SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE, SECOND } from "../../durations.ts";
import { agentOf } from "../../agents/agent.ts";
import type { Act } from "../walk.ts";
import type { WalkedApprovals } from "./walked-approvals.ts";

/** A request with an `Idempotency-Key`, which is kept for a day. */
interface KeyedAsk {
  readonly by: SendingKey;
  readonly key: string;
  readonly subject: string;
  readonly to: string;
  readonly approval: string;
  readonly at: number;
}

/** What agents ask for: new messages and drafts, again, at once, beyond their limits, and with one key in two accounts. */
export const askingActs = (
  visit: Visit,
  cluster: Cluster,
  all: WalkedApprovals,
  agents: ReadonlySet<SendingKey>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { approvals, compareAsked, drafts, judgeNew, limits, note, open, pending } = all;
  const asks: Array<KeyedAsk> = [];
  /** What was asked for in the second account. */
  const elsewhere: Array<KeyedAsk> = [];
  let second: AccountId | null = null;
  let keys = 0;
  const isKept = ({ at, by }: KeyedAsk) => visit.now - at < DAY - MINUTE && agents.has(by);
  const pickAgent = () => random.pick([...agents])!;

  const askNew = Effect.gen(function* () {
    const by = pickAgent();
    const [subject, to] = [all.newSubject(), all.newFriend()];
    const free = elsewhere.filter((one) => one.by === by && isKept(one) && asks.every(({ key }) => key !== one.key));
    const key = random.chance(0.5) ? (random.pick(free)?.key ?? `key ${++keys}`) : undefined;
    const approval = judgeNew(by, yield* all.ask(by, subject, to, key));
    if (approval === undefined) return;
    const draft = { id: approval.draftId, version: approval.version, subject, to, isGone: false };
    visit.expect(
      drafts.every(({ id }) => id !== draft.id),
      "two messages get one draft",
    );
    drafts.push(draft);
    note(approval, draft, by);
    if (key !== undefined) asks.push({ by, key, subject, to, approval: approval.id, at: visit.now });
  });
  const repeat = Effect.gen(function* () {
    const one = random.pick(asks.filter(isKept));
    if (one === undefined) return;
    const isSame = random.chance(0.7);
    const subject = isSame ? one.subject : all.newSubject();
    for (let times = random.between(1, 5); times > 0; times--) {
      const answer = yield* all.ask(one.by, subject, one.to, one.key);
      if (isSame) visit.same(answer.approval?.id ?? answer.refused, one.approval, "the approval of a repeated request");
      else visit.same(answer.refused, "IdempotencyKeyReused", "another message with a used key");
    }
  });
  const askForDraft = Effect.gen(function* () {
    const by = pickAgent();
    // Often, another agent asked for the same version.
    const asked = pending().filter((one) => one.by.id !== by.id);
    const draft = random.chance(0.6) ? (random.pick(asked)?.draft ?? random.pick(open())) : random.pick(open());
    if (draft === undefined || draft.isGone) return;
    const version = random.pick([draft.version, draft.version, draft.version, draft.version + 1, undefined]);
    const ask = all.askForDraft(by, draft.id, version);
    const [answer, other] = yield* Effect.all([ask, random.chance(0.3) ? ask : Effect.succeed(null)], {
      concurrency: 2,
    });
    if (version !== draft.version) {
      const promise = version === undefined ? "IfMatchRequired" : "DraftChanged";
      return visit.same(answer.refused, promise, "a draft in another version");
    }
    yield* compareAsked(by, draft, answer);
    if (other !== null) yield* compareAsked(by, draft, other);
  });
  /** An agent asks several times for one version of a draft, which counts once. */
  const askOften = Effect.gen(function* () {
    const one = random.pick(pending().filter(({ by, draft }) => agents.has(by) && !draft.isGone));
    if (one === undefined || one.version !== one.draft.version) return;
    for (let times = random.between(1, 5); times > 0; times--)
      yield* compareAsked(one.by, one.draft, yield* all.askForDraft(one.by, one.draft.id, one.version));
  });
  /** An agent asks again at the end of its approval, which no sweep has noticed yet. Approvals of the same moment end before the next act. */
  const askAtEnd = Effect.gen(function* () {
    const one = random.pick(pending().filter(({ by, draft }) => agents.has(by) && !draft.isGone));
    if (one === undefined || one.version !== one.draft.version) return;
    cluster.timeline.skipTo(one.expiresAt);
    yield* compareAsked(one.by, one.draft, yield* all.askForDraft(one.by, one.draft.id, one.version));
    yield* visit.wait(SECOND);
    yield* visit.signIn(all.account);
  });
  /** An agent uses keys in a second account, which are independent of those in the first. [S2.6-5] */
  const askElsewhere = Effect.gen(function* () {
    second ??= yield* visit.signUp("approval-walk-second");
    yield* visit.signIn(second);
    const { ask } = agentOf(visit, cluster, second);
    const known = random.chance(0.4) ? random.pick(elsewhere.filter(isKept)) : undefined;
    if (known !== undefined) {
      const isSame = random.chance(0.7);
      const { by, key, to } = known;
      const answer = yield* ask(by, isSame ? known.subject : all.newSubject(), { to }, key);
      const promise = isSame ? known.approval : "IdempotencyKeyReused";
      return visit.same(answer.approval?.id ?? answer.refused, promise, "a repeated request in a second account");
    }
    const used = random.pick(asks.filter((one) => isKept(one) && elsewhere.every(({ key }) => key !== one.key)));
    const by = used?.by ?? pickAgent();
    const key = used?.key ?? `key ${++keys}`;
    const isSame = used !== undefined && random.chance(0.5);
    const [subject, to] = isSame ? [used.subject, used.to] : [all.newSubject(), all.newFriend()];
    const approval = judgeNew(by, yield* ask(by, subject, { to }, key));
    if (approval === undefined) return;
    limits.count(by, approval.createdAt);
    elsewhere.push({ by, key, subject, to, approval: approval.id, at: visit.now });
    visit.expect(
      approvals.every(({ id }) => id !== approval.id),
      "one approval is of two accounts",
    );
    visit.same(approval.subject, subject, "the approval in a second account");
    visit.same(yield* all.approve(approval.id, approval.version), "ApprovalNotFound", "another account's approval");
  });
  return [
    { name: "ask", weight: 4, run: askNew },
    { name: "ask again", weight: 3, run: repeat },
    { name: "ask for a draft", weight: 6, run: askForDraft },
    { name: "ask often for a draft", weight: 2, run: askOften },
    { name: "ask at the end of an approval", weight: 12, run: askAtEnd },
    { name: "ask in a second account", weight: 3, run: askElsewhere },
  ];
};
