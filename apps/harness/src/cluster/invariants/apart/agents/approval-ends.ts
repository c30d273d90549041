import { Keys } from "@postern/core/auth";
import { type Approval, Drafts, DraftSender } from "@postern/core/drafts";
import { Context, Effect } from "effect";
import type { AgentUser } from "./agent.ts";
import { DAY, HOUR } from "../durations.ts";

const LATE = 5_000;

/** An approval shows what would be sent, and ends once, in the first of several ways; only an approved message is sent. */
export const endApprovals = (agent: AgentUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, account, key, ask, approve, approvals, tagOf, find, told, copies } = agent;
    const by = yield* key();
    const request = (subject: string, more: object = {}, name?: string) =>
      Effect.flatMap(ask(by, subject, more, name), ({ approval, sent, refused }) =>
        approval === undefined ? Effect.die(new Error(`${subject} is ${sent ?? refused}`)) : Effect.succeed(approval),
      );
    const drafts = <A, E>(use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("drafts", (services) => use(Context.get(services, Drafts)));

    yield* ask(yield* key({ scopes: ["mail:send"] }), "before");
    yield* visit.wait(LATE);
    const shown = yield* request("shown", { to: "friend@far.test", cc: ["new@far.test"], text: "a text" });
    const about = ({ recipients, subject, preview, files, state, reason, decidedAt }: Approval) => [
      recipients.map(({ address, known }) => [address, known]),
      [subject, preview, files, state, reason, decidedAt],
    ];
    const promised = [
      [
        ["friend@far.test", true],
        ["new@far.test", false],
      ],
      ["shown", "a text", [], "pending", null, null],
    ];
    visit.same(about(yield* find(shown.id)), promised, "what an approval shows");
    visit.same(shown.by, { kind: "key", id: by.id, name: by.name, application: by.application }, "who asked");
    visit.same(shown.expiresAt - shown.createdAt, 7 * DAY, "how long a person may decide");
    yield* decide(agent, shown, by.id);
    yield* visit.wait(LATE);
    visit.same([copies("shown"), told(shown.id)], [1, ["requested", "approved"]], "an approved message");

    const denied = yield* request("denied");
    yield* approvals((all) => all.deny(account, denied.id, "not now", null));
    visit.same(yield* approve(denied.id, denied.version), "ApprovalDecided", "the approval of what was denied");
    const { state, reason } = yield* find(denied.id);
    visit.same([state, reason, told(denied.id)], ["denied", "not now", ["requested", "denied"]], "what was denied");

    const listed = yield* approvals((all) => all.page(account, { state: "denied" }));
    visit.same(
      listed.items.map(({ id }) => id),
      [denied.id],
      "the approvals that were denied",
    );

    const keyed = yield* request("keyed", {}, "a-key");
    visit.same((yield* request("keyed", {}, "a-key")).id, keyed.id, "the approval of a repeated request");
    const other = yield* ask(by, "not keyed", {}, "a-key");
    visit.same(other.refused, "IdempotencyKeyReused", "another message with the same key");
    const repeated = yield* approvals((all) =>
      all.sendDraft(account, keyed.draftId, String(keyed.version), undefined, by),
    );
    visit.same("approval" in repeated && repeated.approval.id, keyed.id, "the approval of the same version");
    const unnamed = yield* tagOf((all) => all.sendDraft(account, keyed.draftId, undefined, undefined, by));
    visit.same(unnamed, "IfMatchRequired", "a draft of an agent without a version");

    const [erased, sent, mine] = [yield* request("erased"), yield* request("sent"), yield* request("mine")];
    yield* drafts((all) => all.remove(account, erased.draftId, String(erased.version)));
    yield* visit.ask("send a draft", (services) =>
      Context.get(services, DraftSender).send(account, sent.draftId, String(sent.version), undefined, null),
    );
    for (const { id, version } of [erased, sent]) {
      visit.same(yield* approve(id, version), "ApprovalDecided", "the approval of a draft that is gone");
      visit.same(told(id), ["requested", "stale"], "the events of an approval whose draft is gone");
    }
    yield* visit.ask("delete", (services) => Context.get(services, Keys).remove(by.id));
    visit.same(told(mine.id), ["requested", "withdrawn"], "the events of an approval whose key ended");
    visit.same(yield* approve(mine.id, mine.version), "ApprovalDecided", "the approval of a message of an ended key");
    visit.same((yield* drafts((all) => all.get(account, mine.draftId))).id, mine.draftId, "the draft of an ended key");
    yield* visit.wait(LATE);
    visit.same([copies("erased"), copies("sent"), copies("mine")], [0, 1, 0], "what was sent of ended approvals");
    yield* decideLate(agent);
  });

/** A person decides with the version that was shown, and the key that asked does not decide. */
const decide = ({ visit, account, approve, tagOf, find, key }: AgentUser, { id, version }: Approval, asker: string) =>
  Effect.gen(function* () {
    const decider = yield* key({ scopes: ["approvals"] });
    visit.same(yield* approve(id, undefined), "IfMatchRequired", "an approval without a version");
    visit.same(yield* approve(id, version + 1), "ApprovalChanged", "an approval of another version");
    visit.same(yield* approve(id, version, { id: asker }), "ApprovalOwn", "an approval by the key that asked");
    const own = yield* tagOf((all) => all.deny(account, id, undefined, { id: asker }));
    visit.same(own, "ApprovalOwn", "a denial by the key that asked");
    visit.same((yield* find(id)).state, "pending", "an undecided approval");
    for (let n = 0; n < 2; n++)
      visit.same(yield* approve(id, version, decider), "Answered", "an approval by another key");
    visit.same(yield* tagOf((all) => all.deny(account, id, undefined, null)), "ApprovalDecided", "a later denial");
    const { state, decidedAt } = yield* find(id);
    visit.same([state, decidedAt !== null && visit.now - decidedAt < HOUR], ["approved", true], "an approved approval");
  });

/** A pending approval expires after seven days, which is announced; a decided one is kept for 90 days. */
const decideLate = ({ visit, account, key, ask, approve, approvals, told, copies }: AgentUser) =>
  Effect.gen(function* () {
    const by = yield* key();
    const short = yield* key({ expiresAt: visit.now + DAY });
    const [early, late, ended] = [yield* ask(by, "early"), yield* ask(by, "late"), yield* ask(short, "ended")];
    yield* visit.skip(7 * DAY - HOUR);
    const version = early.approval!.version;
    visit.same(yield* approve(ended.approval!.id, version), "ApprovalDecided", "an approval whose key has expired");
    visit.same(yield* approve(early.approval!.id, version), "Answered", "an approval before seven days are over");
    yield* visit.skip(3 * HOUR);
    visit.same(told(late.approval!.id), ["requested", "expired"], "the events of an approval after seven days");
    visit.same(yield* approve(late.approval!.id, version), "ApprovalDecided", "an approval after seven days");
    visit.same([copies("early"), copies("late"), copies("ended")], [1, 0, 0], "what was sent of late approvals");
    const kept = Effect.map(
      approvals((all) => all.page(account, {})),
      ({ items }) => items.filter(({ id }) => id === late.approval!.id).length,
    );
    yield* visit.skip(89 * DAY);
    visit.same(yield* kept, 1, "an approval 89 days after its end");
    yield* visit.skip(9 * DAY);
    visit.same(yield* kept, 0, "an approval 98 days after its end");
  });
