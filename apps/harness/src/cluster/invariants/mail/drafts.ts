import { DraftRecords } from "@postern/core/drafts";
import { type JournalEntry, OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { type FactOf, factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";
import { USERS } from "../../world/accounts.ts";
import { copiesOfDraft } from "../../world/edit-elsewhere.ts";

/**
 * If several saves replace the same version, only one of them succeeds. The last stored version stays in the folder, or
 * is sent once. At the end an unsent draft has one copy, a sent draft has no copy, and no draft stays in the state
 * `sending`.
 */
export const drafts: Invariant = {
  name: "drafts",
  watch: (cluster) => ({
    quiet: () => {
      const violate = (detail: string) => cluster.violate("drafts", detail);
      for (const account of USERS) {
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        checkSentOnce(entries, violate);
        const written = factsOf(cluster.facts, "DraftWritten").filter((fact) => fact.account === account);
        for (const [id, some] of Map.groupBy(written, (fact) => fact.id)) {
          const saves = Map.groupBy(some, ({ base }) => base);
          for (const [base, over] of saves) {
            if (base !== "another client" && over.length > 1) violate(`${id} has ${over.length} successors of ${base}`);
          }
          checkKept(cluster, some, entries, violate);
          checkCopies(cluster, account, id, saves.has("another client"), violate);
        }
      }
    },
  }),
};

type Violate = (detail: string) => void;

const checkSentOnce = (entries: ReadonlyArray<JournalEntry>, violate: Violate): void => {
  const ofDrafts = entries.filter(({ message }) => message.subject.startsWith("draft "));
  for (const [subject, some] of Map.groupBy(ofDrafts, ({ message }) => message.subject)) {
    const maybeSent = some.filter(({ message }) =>
      message.recipients.some(({ state }) => state !== "failed" && state !== "cancelled"),
    );
    if (maybeSent.length > 1) violate(`${subject} was sent ${maybeSent.length} times`);
  }
};

/** Each draft's last saved version, or a later one, is in the folder or was sent, unless its deletion was requested. */
const checkKept = (
  cluster: Cluster,
  written: ReadonlyArray<FactOf<"DraftWritten">>,
  entries: ReadonlyArray<JournalEntry>,
  violate: Violate,
): void => {
  const last = written.at(-1)!;
  const asked = factsOf(cluster.facts, "DraftChangeAsked").filter(({ id }) => id === last.id);
  if (asked.some(({ subject }) => subject === null)) return;
  const later = asked.flatMap(({ subject, at }) => (at >= last.askedAt && subject !== null ? [subject] : []));
  const subjects = new Set([last.subject, ...later]);
  const inFolder = cluster.mail.account(last.account).mailbox("Drafts").messages;
  const isKept =
    inFolder.some(({ summary }) => subjects.has(summary.subject)) ||
    entries.some(({ message }) => subjects.has(message.subject));
  if (!isKept) violate(`${last.subject} is lost`);
};

const checkCopies = (
  cluster: Cluster,
  account: AccountId,
  id: string,
  isEditedElsewhere: boolean,
  violate: Violate,
): void => {
  const found = cluster.ask((ports) => Context.get(ports, DraftRecords).find(account, id));
  const state = Option.getOrUndefined(found)?.state;
  if (state === "sending") violate(`${id} is being sent for ever`);
  // A copy that another client stored while the draft was sent or deleted stays.
  if (isEditedElsewhere) return;
  const copies = copiesOfDraft(cluster, { account, id }).length;
  if (state === "draft" && copies !== 1) violate(`${id} has ${copies} copies`);
  if (state === "sent" && copies > 0) violate(`${id} was sent and has ${copies} copies`);
};
