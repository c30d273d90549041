import { readMark } from "@postern/core/drafts";
import { DRAFT_HEADER } from "@postern/core/send";
import type { Cluster } from "../Cluster.ts";
import type { KnownDraft } from "./KnownDraft.ts";

const MARK = new RegExp(`^${DRAFT_HEADER}: (.*)\\r$`, "m");
const SUBJECT = /^Subject: .*\r$/m;

/** Returns the copies of a draft in the Drafts folder: the messages that have its mark. */
export const copiesOfDraft = (cluster: Cluster, { account, id }: Pick<KnownDraft, "account" | "id">) =>
  cluster.mail
    .account(account)
    .mailbox("Drafts")
    .messages.flatMap((message) => {
      const text = new TextDecoder().decode(message.raw);
      const mark = readMark(MARK.exec(text)?.[1] ?? "");
      return mark?.draftId === id ? [{ message, text }] : [];
    });

/**
 * Opens a copy of a draft in another mail client, possibly a copy of an uncompleted save, and replaces it with a copy
 * that has another subject.
 */
export const editElsewhere = (cluster: Cluster, draft: KnownDraft): void => {
  const { facts, timeline, trace, mail, random } = cluster;
  const read = random.pick(copiesOfDraft(cluster, draft));
  if (read === undefined) return;
  const { account, id, number } = draft;
  const subject = `draft ${number}.${draft.subjects++}`;
  trace.say(() => `another client stores ${subject}`);
  const drafts = mail.account(account).mailbox("Drafts");
  const text = read.text.replace(SUBJECT, `Subject: ${subject}\r`);
  drafts.append(new TextEncoder().encode(text), timeline.now, ["\\Draft", "\\Seen"]);
  drafts.expunge([read.message.uid]);
  const askedAt = timeline.now;
  facts.push({ _tag: "DraftChangeAsked", id, subject, at: askedAt });
  facts.push({ _tag: "DraftWritten", account, id, base: "another client", subject, askedAt });
};
