import { Drafts, DraftSender } from "@postern/core/drafts";
import { Keys } from "@postern/core/auth";
import type { SendingKey } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { copiesOfDraft } from "../../../../world/edit-elsewhere.ts";
import { DAY, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { askingActs } from "./asking-acts.ts";
import { crossedApprovals } from "./crossed-approvals.ts";
import type { WalkedApprovals } from "./walked-approvals.ts";

/** A time longer than a message needs to be sent. */
const SENT = 6 * SECOND;

/** What agents ask for and people decide, while the drafts are changed by the owner and by other mail programs. */
export const approvalActs = (
  visit: Visit,
  cluster: Cluster,
  all: WalkedApprovals,
  agents: Set<SendingKey>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, drafts, approvals, isPending, endOne, endVersion, open, pending } = all;
  const draftsOf = <A, E>(use: (one: Drafts["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("drafts", (services) => use(Context.get(services, Drafts)));
  const tagOf = <A, E extends { readonly _tag: string }>(use: (one: Drafts["Service"]) => Effect.Effect<A, E>) =>
    visit.tagOf("drafts", (services) => use(Context.get(services, Drafts)));
  const write = Effect.gen(function* () {
    const [subject, to] = [all.newSubject(), all.newFriend()];
    const { id, version } = yield* draftsOf((one) => one.create(account, { to, subject, text: "simulated" }));
    drafts.push({ id, version, subject, to, isGone: false });
  });
  const save = Effect.gen(function* () {
    const draft = random.pick(open());
    if (draft === undefined) return;
    const isOld = random.chance(0.2);
    const subject = all.newSubject();
    const request = { to: draft.to, subject, text: "simulated" };
    const tag = yield* tagOf((one) => one.save(account, draft.id, String(draft.version - (isOld ? 1 : 0)), request));
    visit.same(tag, isOld ? "DraftChanged" : "Answered", "a save of a draft");
    if (isOld) return;
    endVersion(draft);
    draft.version++;
    draft.subject = subject;
  });
  const editElsewhere = Effect.gen(function* () {
    const draft = random.pick(open());
    const read = draft === undefined ? undefined : copiesOfDraft(cluster, { account, id: draft.id }).at(-1);
    if (draft === undefined || read === undefined) return;
    const subject = all.newSubject();
    const mailbox = cluster.mail.account(account).mailbox("Drafts");
    const text = read.text.replace(/^Subject: .*\r$/m, `Subject: ${subject}\r`);
    mailbox.append(new TextEncoder().encode(text), visit.now, ["\\Draft", "\\Seen"]);
    mailbox.expunge([read.message.uid]);
    const asked = random.pick(approvals.filter((one) => one.draft === draft && isPending(one)));
    if (asked !== undefined && random.chance(0.4)) {
      const tag = yield* all.approve(asked.id, asked.version);
      visit.expect(tag !== "Answered", "a version is approved that another mail program has replaced");
    }
    const found = yield* draftsOf((one) => one.get(account, draft.id));
    visit.same([found.contents.subject, found.version > draft.version], [subject, true], "a draft of another program");
    endVersion(draft);
    draft.version = found.version;
    draft.subject = subject;
  });
  /** Another mail program deletes a draft: its approvals end as soon as any request notices this. */
  const removeElsewhere = Effect.gen(function* () {
    const asked = random.pick(pending());
    const draft = random.chance(0.8) ? (asked?.draft ?? random.pick(open())) : random.pick(open());
    if (draft === undefined || draft.isGone) return;
    const copies = copiesOfDraft(cluster, { account, id: draft.id }).map(({ message }) => message.uid);
    cluster.mail.account(account).mailbox("Drafts").expunge(copies);
    const version = String(draft.version);
    const one = random.pick(approvals.filter((each) => each.draft === draft && isPending(each)));
    const gone = { to: draft.to, subject: "gone", text: "" };
    const request = random.pick([
      tagOf((each) => each.save(account, draft.id, version, gone)),
      one === undefined ? Effect.succeed("none") : all.approve(one.id, one.version),
      Effect.map(all.askForDraft(random.pick([...agents])!, draft.id, draft.version), (is) => is.refused ?? "Answered"),
    ])!;
    if (random.chance(0.5))
      visit.expect((yield* request) !== "Answered", "a request for a draft that another program has deleted");
    const read = yield* tagOf((each) => each.get(account, draft.id));
    visit.same(read, "DraftNotFound", "a draft that another mail program has deleted");
    endVersion(draft);
    draft.isGone = true;
  });
  const removeDraft = Effect.gen(function* () {
    const draft = random.pick(open());
    if (draft === undefined) return;
    visit.same(yield* tagOf((one) => one.remove(account, draft.id, String(draft.version))), "Answered", "a deletion");
    endVersion(draft);
    draft.isGone = true;
  });
  const sendDraft = Effect.gen(function* () {
    const draft = random.pick(open());
    if (draft === undefined) return;
    const at = visit.now;
    yield* visit.ask("send a draft", (services) =>
      Context.get(services, DraftSender).send(account, draft.id, String(draft.version), undefined, null),
    );
    // The answer waits for the first attempt, while other approvals may end.
    endVersion(draft, at);
    all.sent(draft);
    yield* visit.wait(SENT);
  });
  const approve = Effect.gen(function* () {
    const one = random.pick(approvals);
    if (one === undefined) return;
    const how = random.pick(["right", "right", "right", "no version", "another version", "own"] as const);
    const version = how === "no version" ? undefined : how === "another version" ? one.version + 1 : one.version;
    const by = how === "own" ? { id: one.by.id } : random.pick([null, { id: "another key" }]);
    const isKept = one.state === "pending" || visit.now < one.decidedAt + 90 * DAY;
    const isLate = one.state === "pending" && visit.now >= one.expiresAt;
    const at = visit.now;
    const [first, second] = yield* Effect.all(
      [all.approve(one.id, version, by), random.chance(0.3) ? all.approve(one.id, version, by) : Effect.succeed(null)],
      { concurrency: 2 },
    );
    if (isLate) return visit.expect(first !== "Answered", "an approval is approved that has expired");
    if (!isKept) return;
    const promise =
      how === "no version"
        ? "IfMatchRequired"
        : how === "own"
          ? "ApprovalOwn"
          : how === "another version"
            ? null
            : one.state === "pending" || one.state === "approved"
              ? "Answered"
              : "ApprovalDecided";
    if (promise === null) return visit.expect(first !== "Answered", "an approval of a version that was not shown");
    visit.same(first, promise, `an approval of ${one.subject} (${one.state}) with ${how}`);
    if (second !== null) visit.same(second, promise, "the same approval at the same time");
    if (how !== "right" || one.state !== "pending") return;
    endOne(one, "approved");
    endVersion(one.draft, at);
    all.sent(one.draft);
    yield* visit.wait(SENT);
  });
  const deny = Effect.gen(function* () {
    const one = random.pick(approvals.filter((one) => one.state !== "pending" || isPending(one)));
    if (one === undefined || (one.state !== "pending" && visit.now > one.decidedAt + 90 * DAY)) return;
    const [isOwn, reason] = [random.chance(0.2), random.pick([undefined, "not now"])];
    const tag = yield* all.deny(one.id, reason, isOwn ? { id: one.by.id } : null);
    const isSame = one.state === "denied";
    if (isSame && !isOwn) return visit.expect(tag === "Answered" || tag === "ApprovalDecided", "a second denial");
    visit.same(tag, isOwn ? "ApprovalOwn" : one.state === "pending" ? "Answered" : "ApprovalDecided", "a denial");
    if (!isOwn && one.state === "pending") endOne(one, "denied", reason ?? null);
  });
  const endAgent = Effect.gen(function* () {
    const by = random.pick([...agents])!;
    agents.delete(by);
    yield* visit.ask("delete", (services) => Context.get(services, Keys).remove(by.id));
    for (const one of pending()) if (one.by.id === by.id) endOne(one, "withdrawn");
  });
  const newAgent = Effect.gen(function* () {
    agents.add(yield* all.newKey);
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, all.compare),
  });
  return [
    ...[...askingActs(visit, cluster, all, agents), ...crossedApprovals(visit, cluster, all, agents)].map(
      ({ name, weight, run }) => act(name, weight ?? 1, run),
    ),
    act("write a draft", 2, write),
    act("save a draft", 2, save),
    act("edit a draft elsewhere", 3, editElsewhere),
    act("delete a draft", 1, removeDraft),
    act("delete a draft elsewhere", 2, removeElsewhere),
    act("send a draft", 1, sendDraft),
    act("approve", 5, approve),
    act("deny", 2, deny),
    act("end an agent", 1, endAgent, () => agents.size > 1),
    act("make an agent", 1, newAgent, () => agents.size < 4),
    { name: "what was sent", run: Effect.sync(all.compareSent) },
  ];
};
