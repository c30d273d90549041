import { DraftSender } from "@postern/core/drafts";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import { HOUR, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { compareDraft } from "./compare-draft.ts";
import { type ModelDraft, outcomeOf, settleDraft } from "./model-draft.ts";
import type { WalkedDrafts } from "./walked-drafts.ts";

/** The time after which a process notes another answer of a server, and in which a draft that is sent is followed. */
const NOTED = 6 * SECOND;
const FOLLOWED = 8 * SECOND;

/**
 * Requests that the mail server refuses, and requests at once: a refused save leaves the version before it with its files, and of
 * two changes of one version one succeeds. [S2.6-9] [S12.1-10] [S12.1-14] [S12.1-15] [S12.1-16]
 */
export const refusedActs = (visit: Visit, cluster: Cluster, walked: WalkedDrafts): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, drafts, tagOf, ask, write, open } = walked;
  const calm = () => open().filter(({ state }) => state === "draft");
  /** Makes the server refuse, or not be there, while a request is made. */
  const whileRefused = <A, E>(request: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const isAway = random.chance(0.3);
      const folder = cluster.mail.account(account).mailbox("Drafts");
      if (isAway) cluster.mail.conducts.set(account, "away");
      else folder.isReadOnly = true;
      const answer = yield* Effect.exit(request);
      cluster.mail.conducts.delete(account);
      folder.isReadOnly = false;
      if (isAway) yield* visit.wait(NOTED);
      return yield* answer;
    });

  const saveInVain = Effect.gen(function* () {
    const withFiles = calm().filter(({ request: { attachments } }) => attachments !== undefined);
    const draft = random.pick(withFiles.length > 0 && random.chance(0.7) ? withFiles : calm())!;
    const request = write();
    const tag = yield* whileRefused(
      tagOf("save", (all) => all.save(account, draft.id, String(draft.version), request)),
    );
    visit.same(tag, "MailServerError", `a save of ${draft.request.subject} that the server refuses`);
    walked.doubt(request);
    yield* walked.read(draft);
    // Files that no draft names end meanwhile.
    if (draft.request.attachments !== undefined && random.chance(0.4)) yield* visit.skip(25 * HOUR);
  });
  const createInVain = Effect.gen(function* () {
    const request = write();
    const key = { caller: account, key: `draft ${walked.nextNumber()}`, account };
    const tag = yield* whileRefused(tagOf("create", (all) => all.create(account, request, key)));
    visit.same(tag, "MailServerError", "a new draft that the server refuses");
    walked.doubt(request);
    if (random.chance(0.3)) return;
    const first = yield* ask("create", (all) => all.create(account, request, key));
    const second = yield* ask("create", (all) => all.create(account, request, key));
    visit.same(second.id, first.id, "a draft whose creation is repeated");
    const draft: ModelDraft = {
      id: first.id,
      version: first.version,
      request,
      state: "draft",
      reason: null,
      message: null,
      mayBeSent: false,
      isForeign: false,
    };
    drafts.push(draft);
    compareDraft(visit, draft, second);
  });

  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  /** Returns the tag of a request beside another one, unless the store ended its transaction. */
  const again = (request: Effect.Effect<string>, took: (tag: string) => void) =>
    Effect.flatMap(request, (tag) => (tag === "StoreUnavailable" ? Effect.fail(tag) : Effect.sync(() => took(tag))));
  const changeBeside = Effect.gen(function* () {
    const draft = random.pick(calm().filter((one) => !one.mayBeSent))!;
    const version = String(draft.version);
    const request = write();
    const save = tagOf("save", (all) => all.save(account, draft.id, version, request));
    const outcome = outcomeOf(draft.request, visit.now);
    const isSent = outcome === "sent" && !draft.isForeign && random.chance(0.6);
    const other = write();
    const change = isSent
      ? visit.tagOf("send", (services) =>
          Context.get(services, DraftSender).send(account, draft.id, version, undefined),
        )
      : tagOf("save", (all) => all.save(account, draft.id, version, other));
    const isFirst = random.chance(0.5);
    let [saved, changed] = ["", ""];
    const both = [again(save, (tag) => (saved = tag)), again(change, (tag) => (changed = tag))] as const;
    const [held, meanwhile] = isFirst ? both : [both[1], both[0]];
    yield* serveBeside(visit, hold, { about: [account], call: random.between(1, 25) }, held, meanwhile);
    const tags = [saved, changed];
    const won = saved === "Answered" ? request : isSent ? null : other;
    const lost = saved !== "Answered" ? request : isSent ? draft.request : other;
    // A draft that was sent is gone.
    const fair = [
      "Answered",
      "DraftChanged",
      "",
      ...(isSent ? ["DraftNotFound"] : []),
      ...(walked.mayLack(lost, draft, won) ? ["InputInvalid"] : []),
    ];
    visit.expect(
      tags.filter((tag) => tag === "Answered").length === 1 && tags.every((tag) => fair.includes(tag)),
      `a save and ${isSent ? "a sending" : "another save"} of one version are answered with ${tags.join(" and ")}`,
    );
    for (const doubtful of [saved === "Answered" ? other : request, other]) walked.doubt(doubtful);
    if (won === null) {
      draft.state = "sending";
      yield* visit.wait(FOLLOWED);
      settleDraft(draft, outcome);
      return;
    }
    const found = yield* ask("get", (all) => all.get(account, draft.id));
    visit.same(found.contents.subject, won.subject, "the version that won");
    Object.assign(draft, {
      request: won,
      version: draft.version + 1,
      reason: found.reason?.reason ?? null,
      message: null,
      isForeign: false,
    });
    compareDraft(visit, draft, found);
  });
  const nameWrongFile = Effect.gen(function* () {
    const draft = random.pick(calm())!;
    const version = String(draft.version);
    const request = { ...write(), attachments: [{ id: "up_unknown" }] };
    const tag = yield* tagOf("save", (all) => all.save(account, draft.id, version, request));
    visit.same(tag, "InputInvalid", "a save with a file that does not exist");
    yield* walked.read(draft);
  });

  const hasOne = () => calm().length > 0;
  return [
    { name: "upload", weight: 3, isPossible: () => walked.files.length < 12, run: walked.upload },
    { name: "save in vain", weight: 3, isPossible: hasOne, run: saveInVain },
    { name: "create in vain", weight: 1, run: createInVain },
    { name: "name a wrong file", weight: 1, isPossible: hasOne, run: nameWrongFile },
    {
      name: "change beside a change",
      weight: 3,
      isPossible: () => calm().some((one) => !one.mayBeSent),
      run: changeBeside,
    },
    { name: "compare the files", weight: 5, isPossible: () => walked.files.length > 0, run: walked.compareFiles },
    { name: "most of a day passes", weight: 1, run: Effect.suspend(() => visit.skip(22 * HOUR)) },
  ];
};
