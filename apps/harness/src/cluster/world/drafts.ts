import { Drafts, DraftSender } from "@postern/core/drafts";
import { Context, Effect, Exit } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";
import { editElsewhere } from "./edit-elsewhere.ts";
import { repeatRequest } from "./repeat-request.ts";
import type { KnownDraft } from "./KnownDraft.ts";

/** Adds acts in which users write drafts on several devices, send and delete them; other mail clients change them. */
export const draftActs = (script: Script): void => {
  const { cluster } = script;
  const { random, facts, timeline } = cluster;
  const drafts: Array<KnownDraft> = [];

  script.often(Math.ceil(script.minutes), (number) => {
    const account = random.pick(USERS)!;
    const subject = `draft ${number}.0`;
    const askedAt = timeline.now;
    cluster.request(
      `write ${subject}`,
      (services) => Context.get(services, Drafts).create(account, requestOf(number, subject)),
      (exit) => {
        if (exit === null || Exit.isFailure(exit)) return;
        const { id, version } = exit.value;
        facts.push({ _tag: "DraftWritten", account, id, base: null, subject, askedAt });
        drafts.push({ account, number, id, version: String(version), subjects: 1 });
      },
    );
  });

  script.often(Math.ceil(script.minutes * 4), () => {
    const draft = random.pick(drafts);
    if (draft === undefined) return;
    save(cluster, draft);
    if (random.chance(0.3)) save(cluster, draft);
  });

  script.often(Math.ceil(script.minutes), () => {
    const draft = random.pick(drafts);
    if (draft !== undefined) editElsewhere(cluster, draft);
  });

  script.often(Math.ceil(script.minutes), (number) => {
    const draft = random.pick(drafts);
    if (draft === undefined) return;
    const key = random.chance(0.5) ? `draft-key-${number}` : undefined;
    send(cluster, draft, key, 6);
    if (random.chance(0.3)) send(cluster, draft, undefined, 1);
  });

  script.often(Math.ceil(script.minutes / 3), () => {
    const draft = random.pick(drafts);
    if (draft === undefined) return;
    const { account, id } = draft;
    facts.push({ _tag: "DraftChangeAsked", id, subject: null, at: timeline.now });
    cluster.request(`delete the draft ${id}`, (services) => Context.get(services, Drafts).remove(account, id));
  });
};

/** Saves every draft once more, which removes the copies that interrupted saves left. */
export const saveDraftsAgain = (cluster: Cluster): void => {
  const { facts } = cluster;
  for (const { account, id, subject } of factsOf(facts, "DraftWritten").filter(({ base }) => base === null)) {
    const last = `${subject} at last`;
    facts.push({ _tag: "DraftChangeAsked", id, subject: last, at: cluster.timeline.now });
    repeatRequest(cluster, `save the draft ${id} at last`, (services) =>
      Effect.gen(function* () {
        const use = Context.get(services, Drafts);
        const found = yield* Effect.catchTag(use.get(account, id), "DraftNotFound", () => Effect.succeed(null));
        if (found === null) return;
        yield* use.save(account, id, String(found.version), { to: "last@far.test", subject: last });
      }),
    );
  }
};

const requestOf = (number: number, subject: string) => ({
  to: `reader-${number}@far.test`,
  subject,
  text: "simulated",
});

const save = (cluster: Cluster, draft: KnownDraft): void => {
  const { facts, timeline } = cluster;
  const { account, number, id, version } = draft;
  const subject = `draft ${number}.${draft.subjects++}`;
  const askedAt = timeline.now;
  facts.push({ _tag: "DraftChangeAsked", id, subject, at: askedAt });
  cluster.request(
    `save ${subject} over ${version}`,
    (services) => Context.get(services, Drafts).save(account, id, version, requestOf(number, subject)),
    (exit) => {
      if (exit !== null && Exit.isSuccess(exit)) {
        draft.version = String(exit.value.version);
        facts.push({ _tag: "DraftWritten", account, id, base: version, subject, askedAt });
      } else reload(cluster, draft);
    },
  );
};

/** Reads the version of a draft after a save that was refused or not answered. */
const reload = (cluster: Cluster, draft: KnownDraft): void =>
  cluster.request(
    `get the draft ${draft.id}`,
    (services) => Context.get(services, Drafts).get(draft.account, draft.id),
    (exit) => {
      if (exit !== null && Exit.isSuccess(exit)) draft.version = String(exit.value.version);
    },
  );

const send = (cluster: Cluster, draft: KnownDraft, key: string | undefined, times: number): void => {
  const { account, id } = draft;
  cluster.request(
    `send the draft ${id}${key === undefined ? "" : ` with ${key}`}`,
    (services) => Context.get(services, DraftSender).send(account, id, undefined, key),
    (exit) => {
      if (exit !== null && Exit.isSuccess(exit)) {
        cluster.facts.push({ _tag: "SendAccepted", account, subject: `the draft ${id}`, key, id: exit.value.id });
      } else if (times > 1) {
        cluster.timeline.after(cluster.random.between(200, 8_000), () => send(cluster, draft, key, times - 1));
      }
    },
  );
};
