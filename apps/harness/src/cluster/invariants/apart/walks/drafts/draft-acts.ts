import { DraftSender } from "@postern/core/drafts";
import { Outbox } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { compareDraft } from "./compare-draft.ts";
import { draftEditor } from "./draft-editor.ts";
import { type ModelDraft, outcomeOf, settleDraft, TAGS } from "./model-draft.ts";
import { listDrafts } from "./list-drafts.ts";
import type { WalkedDrafts } from "./walked-drafts.ts";

/** The time until the outcome of a message is seen in its draft, and the copies of a sent draft are gone. */
const FOLLOWED = 8 * SECOND;
/** The time around a scheduled sending in which both states are right; longer than a draft that is sent is followed. */
const NEAR = 20 * SECOND;

/** The acts of a user with several devices and another mail program. [S12.1] */
export const draftActs = (visit: Visit, cluster: Cluster, walked: WalkedDrafts, stranger: AccountId) => {
  const { random } = cluster;
  const { account, drafts, ask, tagOf, write, open, read } = walked;
  const isAboutDue = ({ request: { sendAt } }: ModelDraft) =>
    sendAt !== undefined && Math.abs(Date.parse(sendAt) - visit.now) < NEAR;
  const isNear = (draft: ModelDraft) => draft.state === "sending" && isAboutDue(draft);
  const isDue = ({ state, request: { sendAt } }: ModelDraft) =>
    state === "sending" && sendAt !== undefined && Date.parse(sendAt) <= visit.now;

  /** Lets the outcome of a scheduled message that is due be seen, and cancels one that waits for long, before it fails. */
  const follow = Effect.gen(function* (): Effect.fn.Return<void, unknown> {
    yield* visit.wait(SECOND);
    const isOld = ({ state, message }: ModelDraft) =>
      state === "sending" && message !== null && visit.now > message.at + 2 * DAY;
    for (const draft of drafts) if (isOld(draft) && !isNear(draft)) yield* cancel(draft);
    // While one draft is followed, others fall due.
    const followed = new Set<ModelDraft>();
    const next = () => drafts.find((draft) => isDue(draft) && !followed.has(draft));
    for (let one = next(); one !== undefined; one = next()) {
      followed.add(one);
      yield* visit.wait(FOLLOWED + NEAR);
      settleDraft(one, outcomeOf(one.request, visit.now));
    }
  });

  const save = (draft: ModelDraft) =>
    Effect.gen(function* () {
      const request = write();
      const isOld = random.chance(0.25);
      const version = isOld ? draft.version + random.pick([-1, 1])! : draft.version;
      const saved = yield* Effect.result(ask("save", (all) => all.save(account, draft.id, String(version), request)));
      const mayChange = draft.state === "draft" && !isOld;
      visit.same(
        saved._tag === "Success" ? "saved" : saved.failure._tag,
        mayChange ? "saved" : "DraftChanged",
        `a save of version ${version} of ${draft.request.subject}, ${draft.state} at ${draft.version}`,
      );
      if (saved._tag === "Failure") return;
      Object.assign(draft, {
        request,
        version: draft.version + 1,
        reason: null,
        mayBeSent: false,
        message: null,
        isForeign: false,
      });
      visit.expect(saved.success.version === draft.version, "a save has another version than the next one");
      draft.reason = saved.success.reason?.reason ?? null;
      compareDraft(visit, draft, saved.success);
    });

  const send = (draft: ModelDraft) =>
    Effect.gen(function* () {
      const isOld = random.chance(0.2);
      const version = random.pick([undefined, draft.version])!;
      const asked = isOld ? draft.version + 1 : version;
      const outcome = outcomeOf(draft.request, visit.now);
      const { request, message, state } = draft;
      const texts = walked.textsOf(draft);
      const answer = yield* Effect.result(
        visit.ask("send", (services) =>
          Context.get(services, DraftSender).send(
            account,
            draft.id,
            asked === undefined ? undefined : String(asked),
            undefined,
          ),
        ),
      );
      const tag = answer._tag === "Success" ? answer.success.status : answer.failure._tag;
      if (isOld) return visit.same(tag, "DraftChanged", `sending another version of ${request.subject}`);
      if (state === "sending" || draft.mayBeSent) {
        const id = answer._tag === "Success" ? answer.success.id : "id" in answer.failure ? answer.failure.id : null;
        return visit.same(id, message?.id, `the message of a repeated request to send ${request.subject}`);
      }
      visit.same(tag, TAGS[outcome], `sending ${request.subject}`);
      if (outcome === "invalid") return;
      const id =
        answer._tag === "Success" ? answer.success.id : "id" in answer.failure ? String(answer.failure.id) : "";
      draft.message = { id, version: draft.version, answer: tag, at: visit.now };
      draft.state = "sending";
      const { message: sent } = yield* visit.ask("find", (services) => Context.get(services, Outbox).find(account, id));
      visit.same(sent.subject, request.subject, "the subject of a draft that is sent");
      yield* visit.wait(FOLLOWED);
      settleDraft(draft, outcome);
      const taken = cluster.smtp.taken.filter(({ envelopeId }) => envelopeId === id).length;
      visit.expect(
        outcome === "unknown" ? taken <= 1 : taken === (outcome === "sent" ? 1 : 0),
        `${request.subject} was sent ${taken} times`,
      );
      const raw = cluster.smtp.taken.find(({ envelopeId }) => envelopeId === id)?.raw;
      const text = new TextDecoder().decode(raw);
      if (raw !== undefined)
        for (const file of texts) visit.expect(text.includes(file), `${request.subject} is sent without ${file}`);
    });

  const cancel = (draft: ModelDraft) =>
    Effect.gen(function* () {
      const tag = yield* visit.tagOf("cancel", (services) =>
        Context.get(services, Outbox).cancel(account, draft.message!.id),
      );
      visit.same(tag, "Answered", `cancelling the message of ${draft.request.subject}`);
      const { state } = yield* ask("get", (all) => all.get(account, draft.id));
      visit.same(state, "draft", "the state of a draft whose message was cancelled");
      Object.assign(draft, { state: "draft", reason: null, message: null });
    });

  const one = (
    name: string,
    weight: number,
    mayBe: (draft: ModelDraft) => boolean,
    run: (draft: ModelDraft) => Effect.Effect<unknown, unknown>,
  ): Act => ({
    name,
    weight,
    isPossible: () => open().some((draft) => mayBe(draft) && !isNear(draft)),
    run: Effect.suspend(() => run(random.pick(open().filter((draft) => mayBe(draft) && !isNear(draft)))!)),
  });
  const acts: ReadonlyArray<Act> = [
    {
      name: "create",
      weight: 4,
      run: Effect.gen(function* () {
        const request = write();
        const made = yield* ask("create", (all) => all.create(account, request));
        const draft: ModelDraft = {
          id: made.id,
          version: made.version,
          request,
          state: "draft",
          reason: null,
          message: null,
          mayBeSent: false,
          isForeign: false,
        };
        drafts.push(draft);
        compareDraft(visit, draft, made);
      }),
    },
    one("read", 3, () => true, read),
    one("save", 5, () => true, save),
    one("send", 4, (draft) => !isAboutDue(draft), send),
    one("cancel", 3, ({ state }) => state === "sending", cancel),
    one(
      "edit elsewhere",
      3,
      (draft) =>
        draft.state === "draft" && String(draft.request.to).includes("@") && walked.copyOf(draft)?.draftId === draft.id,
      draftEditor(visit, cluster, walked),
    ),
    one(
      "remove",
      1,
      () => true,
      (draft) =>
        Effect.gen(function* () {
          const tag = yield* tagOf("remove", (all) =>
            all.remove(account, draft.id, random.pick([undefined, String(draft.version)])),
          );
          visit.same(
            tag,
            draft.state === "draft" ? "Answered" : "DraftChanged",
            `deleting ${draft.request.subject}, which is ${draft.state}`,
          );
          if (draft.state === "draft") draft.state = "removed";
        }),
    ),
    one(
      "ask for the draft of another account",
      1,
      () => true,
      ({ id, version }) =>
        Effect.gen(function* () {
          const tags = [
            yield* tagOf("get", (all) => all.get(stranger, id)),
            yield* tagOf("save", (all) => all.save(stranger, id, String(version), write())),
            yield* tagOf("remove", (all) => all.remove(stranger, id)),
            yield* visit.tagOf("send", (services) =>
              Context.get(services, DraftSender).send(stranger, id, undefined, undefined),
            ),
          ];
          for (const tag of tags) visit.same(tag, "DraftNotFound", "a request about another account's draft");
        }),
    ),
    {
      name: "list",
      weight: 3,
      isPossible: () => !open().some(isNear),
      run: Effect.suspend(() => listDrafts(visit, cluster, account, drafts)),
    },
  ];
  const deadlines = () =>
    drafts.flatMap(({ state, request: { sendAt } }) =>
      state === "sending" && sendAt !== undefined ? [Date.parse(sendAt)] : [],
    );
  return { acts, deadlines, follow };
};
