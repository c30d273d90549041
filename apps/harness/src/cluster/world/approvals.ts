import { Keys } from "@postern/core/auth";
import { type Approval, Approvals, Drafts } from "@postern/core/drafts";
import { Outbox, OutgoingJournal, type SendingKey, sendingKeyOf } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";
import { repeatRequest } from "./repeat-request.ts";

const KEY = { accounts: null, networks: null, expiresAt: null, sendPerDay: null, notify: null } as const;

/** Maximum number of repeats of a failed change or decision by agents and people. */
const TIMES = 5;

/** The interval at which owners look for held messages once the faults are over, in milliseconds. */
const RELEASE_MILLIS = 5_000;

/**
 * The cases of approvals once the faults are over: whether the message is approved, and whether its draft is changed.
 */
const DECISIONS = [
  [true, false],
  [true, true],
  [false, true],
] as const;

/** The beginning of the subjects of messages that agents request to send. */
export const ASKED = "asked ";

/** Returns the only recipient of a message with this subject; no other message has this recipient. */
export const recipientOf = (subject: string): string => `${subject.replaceAll(/\W/g, "-")}@far.test`;

const requestOf = (subject: string) => ({ to: recipientOf(subject), subject, text: "simulated" });

/**
 * Adds acts in which agents request to send, change their drafts, and lose their keys; people approve and deny the messages shown to
 * them.
 */
export const approvalActs = (script: Script): void => {
  const { cluster } = script;
  const { random, facts } = cluster;
  const pickShown = () => random.pick(factsOf(facts, "ApprovalShown"))?.approval;
  let by: SendingKey | null = null;
  let drafts = 0;

  const makeKey = () =>
    repeatRequest(
      cluster,
      "make the key of an agent",
      (services) =>
        Context.get(services, Keys).make({ ...KEY, scopes: ["mail:draft"], application: "agent", name: "agent" }),
      ({ key }) => {
        by = sendingKeyOf(key);
      },
    );

  const show = (outcome: object) => {
    if ("approval" in outcome) facts.push({ _tag: "ApprovalShown", approval: outcome.approval as Approval });
  };

  const ask = (account: AccountId) => {
    const key = by;
    if (key === null) return;
    const subject = `${ASKED}${++drafts}.0`;
    repeatRequest(
      cluster,
      `ask to send ${subject}`,
      (services) => Context.get(services, Approvals).send(account, requestOf(subject), subject, key),
      show,
    );
  };

  const askAgain = (account: AccountId, draftId: string, version: number) => {
    const key = by;
    if (key === null) return;
    repeatRequest(
      cluster,
      `ask to send version ${version} of ${draftId}`,
      (services) => Context.get(services, Approvals).sendDraft(account, draftId, String(version), undefined, key),
      show,
    );
  };

  const edit = (approval: Approval) =>
    change(cluster, approval, ({ version }) => askAgain(approval.account, approval.draftId, version));

  script.at(script.start, makeKey);
  script.often(Math.ceil(script.minutes * 2), () => ask(random.pick(USERS)!));
  script.often(Math.ceil(script.minutes * 3), () => {
    const one = pickShown();
    if (one === undefined) return;
    const acts = [() => approve(cluster, one), () => edit(one), () => approve(cluster, one)];
    for (const act of random.chance(0.5) ? acts : acts.toReversed()) if (random.chance(0.6)) act();
  });
  script.often(Math.ceil(script.minutes), () => {
    const one = pickShown();
    if (one !== undefined) deny(cluster, one);
  });
  script.often(Math.ceil(script.minutes / 3), () => {
    const key = by;
    if (key === null) return;
    by = null;
    cluster.request(`delete the key ${key.id}`, (services) => Context.get(services, Keys).remove(key.id), makeKey);
  });
};

/** People decide about the approvals shown to them, while the drafts of some are changed. */
export const decideAtLast = (cluster: Cluster): void => {
  for (const { approval } of factsOf(cluster.facts, "ApprovalShown")) {
    const acts = [() => approve(cluster, approval), () => change(cluster, approval), () => deny(cluster, approval)];
    const [approves, changes] = cluster.random.pick(DECISIONS)!;
    const chosen = acts.filter((_, n) => [approves, changes, cluster.random.chance(0.2)][n]);
    for (const act of cluster.random.chance(0.5) ? chosen : chosen.toReversed()) act();
  }
  releaseHeld(cluster);
};

/** Owners release the messages that they approved and that are held because the agent's key was deleted. */
const releaseHeld = (cluster: Cluster): void => {
  for (const account of USERS) {
    const entries = cluster.ask((ports) =>
      Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
    );
    for (const { message } of entries) {
      if (message.heldSince === undefined || !message.subject.startsWith(ASKED)) continue;
      cluster.request(`release ${message.subject}`, (services) =>
        Context.get(services, Outbox).release(account, message.id, null),
      );
    }
  }
  cluster.timeline.after(RELEASE_MILLIS, () => releaseHeld(cluster));
};

/** Saves the draft of an approval, in the requested version, with another subject and recipient. */
const change = (
  cluster: Cluster,
  { account, draftId, version, subject }: Approval,
  changed: (draft: { readonly version: number }) => void = () => {},
): void => {
  const [number] = subject.split(".", 1);
  const next = `${number}.${version}.${cluster.random.between(0, 1_000_000)}`;
  repeatRequest(
    cluster,
    `save ${next} over version ${version} of ${draftId}`,
    (services) => Context.get(services, Drafts).save(account, draftId, String(version), requestOf(next)),
    changed,
    TIMES,
  );
};

const approve = (cluster: Cluster, { account, id, version, subject }: Approval): void => {
  cluster.facts.push({ _tag: "ApprovalTried", account, subject });
  repeatRequest(
    cluster,
    `approve ${subject}`,
    (services) => Context.get(services, Approvals).approve(account, id, String(version), null),
    undefined,
    TIMES,
  );
};

const deny = (cluster: Cluster, { account, id, subject }: Approval): void =>
  repeatRequest(
    cluster,
    `deny ${subject}`,
    (services) => Context.get(services, Approvals).deny(account, id, undefined, null),
    () => cluster.facts.push({ _tag: "ApprovalDenied", account, subject }),
    TIMES,
  );
