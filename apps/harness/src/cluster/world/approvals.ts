import { Keys } from "@postern/core/auth";
import { type Approval, Approvals, Drafts } from "@postern/core/drafts";
import { Outbox, OutgoingJournal, type SendingKey, sendingKeyOf } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";
import { keepAsking } from "./keep-asking.ts";

const KEY = { accounts: null, networks: null, expiresAt: null, sendPerDay: null, notify: null } as const;

/** How often agents and people repeat a change or a decision that fails. */
const TIMES = 5;

/** How often owners look for held messages once the faults are over, in milliseconds. */
const RELEASE_MILLIS = 5_000;

/** Whether the message of an approval is approved, and whether its draft is changed, once the faults are over. */
const DECISIONS = [
  [true, false],
  [true, true],
  [false, true],
] as const;

/** How the subjects of messages that agents ask to send begin. */
export const ASKED = "asked ";

/** Returns the only recipient of a message with a subject: no other message has it. */
export const recipientOf = (subject: string): string => `${subject.replaceAll(/\W/g, "-")}@far.test`;

const requestOf = (subject: string) => ({ to: recipientOf(subject), subject, text: "simulated" });

/** An agent asks to send, changes its drafts, and loses its key; people approve and deny what they were shown. */
export const approvalActs = (script: Script): void => {
  const { cluster } = script;
  const { random, facts } = cluster;
  const pickShown = () => random.pick(factsOf(facts, "ApprovalShown"))?.approval;
  let by: SendingKey | null = null;
  let drafts = 0;

  const makeKey = () =>
    keepAsking(
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
    keepAsking(
      cluster,
      `ask to send ${subject}`,
      (services) => Context.get(services, Approvals).send(account, requestOf(subject), subject, key),
      show,
    );
  };

  const askAgain = (account: AccountId, draftId: string, version: number) => {
    const key = by;
    if (key === null) return;
    keepAsking(
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

/** People decide what they were shown, while the drafts of some are changed. */
export const decideAtLast = (cluster: Cluster): void => {
  for (const { approval } of factsOf(cluster.facts, "ApprovalShown")) {
    const acts = [() => approve(cluster, approval), () => change(cluster, approval), () => deny(cluster, approval)];
    const [approves, changes] = cluster.random.pick(DECISIONS)!;
    const chosen = acts.filter((_, n) => [approves, changes, cluster.random.chance(0.2)][n]);
    for (const act of cluster.random.chance(0.5) ? chosen : chosen.toReversed()) act();
  }
  releaseHeld(cluster);
};

/** Owners release what they approved and is held because the key of the agent was deleted. */
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

/** Saves the draft of an approval in the version that was asked for, with another subject and recipient. */
const change = (
  cluster: Cluster,
  { account, draftId, version, subject }: Approval,
  changed: (draft: { readonly version: number }) => void = () => {},
): void => {
  const [number] = subject.split(".", 1);
  const next = `${number}.${version}.${cluster.random.between(0, 1_000_000)}`;
  keepAsking(
    cluster,
    `save ${next} over version ${version} of ${draftId}`,
    (services) => Context.get(services, Drafts).save(account, draftId, String(version), requestOf(next)),
    changed,
    TIMES,
  );
};

const approve = (cluster: Cluster, { account, id, version, subject }: Approval): void => {
  cluster.facts.push({ _tag: "ApprovalTried", account, subject });
  keepAsking(
    cluster,
    `approve ${subject}`,
    (services) => Context.get(services, Approvals).approve(account, id, String(version), null),
    undefined,
    TIMES,
  );
};

const deny = (cluster: Cluster, { account, id, subject }: Approval): void =>
  keepAsking(
    cluster,
    `deny ${subject}`,
    (services) => Context.get(services, Approvals).deny(account, id, undefined, null),
    () => cluster.facts.push({ _tag: "ApprovalDenied", account, subject }),
    TIMES,
  );
