import { ApprovalRecords, DraftRecords } from "@postern/core/drafts";
import { OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";
import { ASKED, recipientOf } from "../../world/approvals.ts";

/**
 * Only messages that a person approved are sent, each once, regardless of an agent's changes to its drafts and of
 * processes that end. Each approved message is in the journal, and a pending approval is about the current version of
 * its draft. [S13.2-4] [S13.2-5]
 */
export const approvedMail: Invariant = {
  name: "approved-mail",
  watch: (cluster) => ({
    quiet: () => {
      for (const account of USERS) {
        checkJournal(cluster, account);
        checkPending(cluster, account);
      }
      checkArrived(cluster);
    },
  }),
};

const approvalsOf = (cluster: Cluster, account: AccountId) =>
  cluster.ask((ports) => Context.get(ports, ApprovalRecords).list(account, undefined, undefined, 10_000));

/** Each subject is in the journal once if a person approved an approval with it, and otherwise not at all. */
const checkJournal = (cluster: Cluster, account: AccountId): void => {
  const violate = (detail: string) => cluster.violate("approved-mail", detail);
  const entries = cluster.ask((ports) =>
    Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
  );
  const approvals = approvalsOf(cluster, account);
  const tried = new Set(factsOf(cluster.facts, "ApprovalTried").map(({ subject }) => subject));
  const denied = new Set(factsOf(cluster.facts, "ApprovalDenied").map(({ subject }) => subject));
  const journaled = entries.map(({ message }) => message.subject).filter((subject) => subject.startsWith(ASKED));
  for (const subject of new Set([...journaled, ...approvals.map((one) => one.subject)])) {
    const count = journaled.filter((one) => one === subject).length;
    const approved = approvals.filter((one) => one.subject === subject && one.state === "approved").length;
    if (count !== approved || count > 1)
      violate(`${subject} is journaled ${count} times and approved ${approved} times`);
    if (count > 0 && !tried.has(subject)) violate(`${subject} was sent, which no person asked for`);
    if (count > 0 && denied.has(subject)) violate(`${subject} was denied and sent`);
  }
};

const checkPending = (cluster: Cluster, account: AccountId): void => {
  for (const { id, draftId, version, state } of approvalsOf(cluster, account)) {
    if (state !== "pending") continue;
    const draft = Option.getOrNull(cluster.ask((ports) => Context.get(ports, DraftRecords).find(account, draftId)));
    if (draft?.version !== version || draft.state !== "draft") {
      cluster.violate(
        "approved-mail",
        `${id} of version ${version} is pending; its draft is ${draft?.version} ${draft?.state}`,
      );
    }
  }
};

/** A message reaches only the recipient that was shown with its subject, once. */
const checkArrived = (cluster: Cluster): void => {
  const arrived = cluster.smtp.taken.flatMap(({ envelopeId, recipients, raw }) => {
    const subject = /^Subject: (.*)\r?$/m.exec(new TextDecoder().decode(raw))?.[1] ?? "";
    return subject.startsWith(ASKED) ? [{ envelopeId, recipients, subject }] : [];
  });
  for (const [subject, some] of Map.groupBy(arrived, (one) => one.subject)) {
    const expected = recipientOf(subject);
    if (some.some(({ recipients }) => recipients.join() !== expected)) {
      cluster.violate("approved-mail", `${subject} reached ${some.flatMap(({ recipients }) => recipients).join()}`);
    }
    if (some.length > 1) cluster.violate("approved-mail", `${subject} arrived ${some.length} times`);
  }
};
