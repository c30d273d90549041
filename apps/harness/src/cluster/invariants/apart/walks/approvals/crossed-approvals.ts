import { Keys } from "@postern/core/auth";
import { Drafts, DraftSender } from "@postern/core/drafts";
import type { SendingKey } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import { insist } from "../../../takeovers/insist.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { AskAnswer } from "./asked-approvals.ts";
import type { WalkedApproval } from "./WalkedApproval.ts";
import type { WalkedApprovals } from "./walked-approvals.ts";

/** A number larger than the number of calls of a decision. */
const MAX_CALLS = 24;
/** A time longer than a message needs to be sent. */
const SENT = 6 * SECOND;

/** Requests about one draft at two processes at once: their answers are those of one order or the other. */
export const crossedApprovals = (
  visit: Visit,
  cluster: Cluster,
  all: WalkedApprovals,
  agents: Set<SendingKey>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, endOne, endVersion, limits, note, pending } = all;
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));

  /** Serves two requests, one of them while the node of the other is halted; returns both answers. */
  const beside = <A, B>(one: Effect.Effect<A, unknown>, other: Effect.Effect<B, unknown>) =>
    Effect.gen(function* (): Effect.fn.Return<readonly [A, B], unknown> {
      let [first, second]: [A?, B?] = [];
      const both = random.some(
        [Effect.map(insist(visit, one), (is) => (first = is)), Effect.map(insist(visit, other), (is) => (second = is))],
        2,
      );
      const point = { about: [account, ...[...agents].map(({ id }) => id)], call: random.between(1, MAX_CALLS) };
      yield* serveBeside(visit, hold, point, both[0]!, both[1]!);
      return [first!, second!];
    });
  /** A request that waited for the halted node's lock for too long had no effect, and is made again. */
  const tried = (request: Effect.Effect<string, unknown>) =>
    Effect.filterOrFail(request, (tag) => tag !== "StoreUnavailable" && tag !== "SendInProgress");
  const triedAsk = (request: Effect.Effect<AskAnswer, unknown>) =>
    Effect.filterOrFail(request, ({ refused }) => refused !== "StoreUnavailable" && refused !== "CreationInProgress");
  const tagOf = <A, E extends { readonly _tag: string }>(use: (one: Drafts["Service"]) => Effect.Effect<A, E>) =>
    tried(visit.tagOf("drafts", (services) => use(Context.get(services, Drafts))));
  const approve = ({ id, version }: WalkedApproval) => tried(all.approve(id, version));
  const deny = ({ id }: WalkedApproval) => tried(all.deny(id, undefined, null));
  const isCurrent = ({ draft, version }: WalkedApproval) => !draft.isGone && version === draft.version;
  const isLasting = ({ expiresAt }: WalkedApproval) => expiresAt > visit.now + MINUTE;
  /** Picks an approval, unless any approval expires while two requests are served: how it ends would be uncertain. */
  const pick = () => (pending().every(isLasting) ? random.pick(pending().filter(isCurrent)) : undefined);

  const approved = (one: WalkedApproval) =>
    Effect.suspend(() => {
      endOne(one, "approved");
      endVersion(one.draft);
      all.sent(one.draft);
      return visit.wait(SENT);
    });
  /** Compares the answers to an approval and to a request that ends it, of which exactly one succeeds. */
  const oneOf = (approval: string, other: string, name: string): boolean => {
    visit.same([approval, other].filter((tag) => tag === "Answered").length, 1, `${name} and an approval succeed`);
    if (other === "Answered") visit.same(approval, "ApprovalDecided", `an approval beside ${name}`);
    return approval === "Answered";
  };

  const approveTwice = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const tags = yield* beside(approve(one), approve(one));
    visit.same(tags, ["Answered", "Answered"], "two approvals at two processes");
    yield* approved(one);
  });
  const approveAndDeny = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const [approval, denial] = yield* beside(approve(one), deny(one));
    if (oneOf(approval, denial, "a denial")) return yield* approved(one);
    endOne(one, "denied");
  });
  const approveAndSave = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const { draft } = one;
    const subject = all.newSubject();
    const request = { to: draft.to, subject, text: "simulated" };
    const save = tagOf((use) => use.save(account, draft.id, String(draft.version), request));
    const [approval, saved] = yield* beside(approve(one), save);
    if (oneOf(approval, saved, "a save")) return yield* approved(one);
    endVersion(draft);
    draft.version++;
    draft.subject = subject;
  });
  const approveAndRemove = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const { draft } = one;
    const remove = tagOf((use) => use.remove(account, draft.id, String(draft.version)));
    const [approval, removed] = yield* beside(approve(one), remove);
    if (oneOf(approval, removed, "a deletion")) return yield* approved(one);
    endVersion(draft);
    draft.isGone = true;
  });
  /** The owner sends a draft by another program while a person approves it: it is sent once. */
  const approveAndSend = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const { draft } = one;
    const send = tried(
      visit.tagOf("send a draft", (services) =>
        Context.get(services, DraftSender).send(account, draft.id, String(draft.version), undefined, null),
      ),
    );
    const [approval, sent] = yield* beside(approve(one), send);
    visit.same(sent, "Answered", "a request to send beside an approval, which gets the receipt of the one message");
    if (approval === "Answered") return yield* approved(one);
    visit.same(approval, "ApprovalDecided", "an approval beside a request to send");
    endVersion(draft);
    all.sent(draft);
    yield* visit.wait(SENT);
  });
  /** An agent asks for the version that a person decides. */
  const decideAndAsk = Effect.gen(function* () {
    const one = pick();
    const by = random.pick([...agents]);
    if (one === undefined || by === undefined) return;
    const { draft } = one;
    const isApproval = random.chance(0.6);
    const before = all.approvals.find(
      (each) => each.draft === draft && each.by.id === by.id && each.version === draft.version && all.isPending(each),
    );
    const isAllowed = limits.allows(by);
    const ask = triedAsk(all.askForDraft(by, draft.id, draft.version));
    const [tag, answer] = yield* beside(isApproval ? approve(one) : deny(one), ask);
    visit.same(tag, "Answered", "a decision beside a request for the same draft");
    const { approval, refused } = answer;
    const isEarlier = approval !== undefined && approval.id === before?.id;
    if (approval !== undefined && !isEarlier) {
      const isNew = all.approvals.every(({ id }) => id !== approval.id);
      visit.expect(isNew && (before === undefined || before === one), "a version gets a second approval of one agent");
      visit.expect(isAllowed !== false, "an agent gets an approval beyond its limit");
      note(approval, draft, by, approval.recipients[0]?.known);
    }
    if (isApproval) return yield* approved(one);
    visit.expect(
      approval !== undefined || isAllowed !== true || (before !== undefined && before !== one),
      `a request beside a denial is refused: ${refused}`,
    );
    endOne(one, "denied");
  });
  /** An agent with one message left asks for two at once. [S13.1-3] */
  const askTwice = Effect.gen(function* () {
    const near = [...agents].filter((by) => limits.allows(by) === true && limits.left(by) <= 2);
    const by = random.pick(near);
    if (by === undefined) return;
    const left = limits.left(by);
    const ask = () => {
      const [subject, to] = [all.newSubject(), all.newFriend()];
      return Effect.map(triedAsk(all.ask(by, subject, to)), (answer) => ({ answer, subject, to }));
    };
    const both = yield* beside(ask(), ask());
    const given = both.filter(({ answer }) => answer.approval !== undefined);
    visit.same(given.length, Math.min(left, 2), `the approvals of an agent that had ${left} left and asked for two`);
    for (const { answer, subject, to } of both) {
      if (answer.approval === undefined) visit.same(answer.refused, "KeySendRateExceeded", "beyond a limit");
      else {
        const { draftId: id, version } = answer.approval;
        const draft = { id, version, subject, to, isGone: false };
        all.drafts.push(draft);
        note(answer.approval, draft, by);
      }
    }
  });
  /** An approval expires while it is decided. [S13.2-7] */
  const decideAtEnd = Effect.gen(function* () {
    const one = pick();
    const isNear = ({ draft, expiresAt }: WalkedApproval) =>
      draft === one?.draft && Math.abs(expiresAt - one.expiresAt) < MINUTE;
    // Another approval of the draft that expires now may expire before the decision or after it.
    if (one === undefined || pending().some((each) => each !== one && isNear(each))) return;
    const isApproval = random.chance(0.7);
    yield* visit.skip(one.expiresAt - random.between(SECOND, 3 * SECOND) - visit.now);
    yield* visit.signIn(account);
    // A listing ends approvals that have expired; without it, the decision itself has to.
    const look = Effect.andThen(visit.wait(3 * SECOND), random.chance(0.5) ? all.newest : Effect.void);
    const [tag] = yield* beside(isApproval ? approve(one) : deny(one), look);
    yield* visit.wait(Math.max(0, one.expiresAt - visit.now) + SECOND);
    visit.expect(tag === "Answered" || tag === "ApprovalDecided", `a decision at the end of an approval gets ${tag}`);
    if (tag !== "Answered") return void endOne(one, "expired");
    const decided = (yield* all.newest).find(({ id }) => id === one.id)?.decidedAt ?? 0;
    visit.expect(decided < one.expiresAt, "an approval is decided that has expired");
    if (isApproval) return yield* approved(one);
    endOne(one, "denied");
  });
  /** An agent ends while it asks, or while a person denies: what it asked for is never sent. [S13.2-6] */
  const endAgent = Effect.gen(function* () {
    const one = pick();
    if (one === undefined || agents.size < 2 || !agents.has(one.by)) return;
    const { by, draft } = one;
    const remove = visit.ask("delete", (services) => Context.get(services, Keys).remove(by.id));
    agents.delete(by);
    if (random.chance(0.5)) {
      const [denial] = yield* beside(deny(one), remove);
      endOne(one, denial === "Answered" ? "denied" : "withdrawn");
    } else {
      const [{ approval }] = yield* beside(triedAsk(all.askForDraft(by, draft.id, draft.version)), remove);
      if (approval !== undefined) {
        note(approval, draft, by, approval.recipients[0]?.known);
        const asked = all.approvals.find(({ id }) => id === approval.id)!;
        visit.same(yield* approve(asked), "ApprovalDecided", "an approval of an agent that has ended");
      }
    }
    for (const each of pending()) if (each.by.id === by.id) endOne(each, "withdrawn");
  });

  return [
    { name: "approve at two processes", run: approveTwice },
    { name: "approve and deny at once", run: approveAndDeny },
    { name: "approve and save at once", run: approveAndSave },
    { name: "approve and delete at once", run: approveAndRemove },
    { name: "approve and send at once", run: approveAndSend },
    { name: "decide and ask at once", weight: 2, run: decideAndAsk },
    { name: "ask twice at the limit", weight: 3, run: askTwice },
    { name: "decide at the end of an approval", weight: 2, run: decideAtEnd },
    { name: "end an agent that asks", run: endAgent },
  ];
};
