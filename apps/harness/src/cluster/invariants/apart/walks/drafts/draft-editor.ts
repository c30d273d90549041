import { DraftSender } from "@postern/core/drafts";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { compareDraft } from "./compare-draft.ts";
import type { ModelDraft } from "./model-draft.ts";
import type { WalkedDrafts } from "./walked-drafts.ts";

/** Returns another mail program, which replaces the copy of a draft with one of another subject and perhaps with a file. [S12.1-10] */
export const draftEditor = (visit: Visit, cluster: Cluster, walked: WalkedDrafts) => {
  const { random } = cluster;
  const { account, ask, tagOf, write } = walked;
  return (draft: ModelDraft): Effect.Effect<void, unknown> =>
    Effect.gen(function* () {
      const folder = cluster.mail.account(account).mailbox("Drafts");
      const copy = walked.copyOf(draft);
      if (copy === undefined) return visit.expect(false, `${draft.request.subject} has no copy`);
      const subject = `elsewhere ${walked.nextNumber()}`;
      const { to, cc, bcc } = draft.request;
      const text = copy.text.replace(`Subject: ${draft.request.subject}`, `Subject: ${subject}`);
      // A version that another program wrote before keeps its file.
      const [kept = null] = draft.isForeign ? walked.textsOf(draft) : [];
      const added = kept === null && random.chance(0.5) ? `the file ${walked.nextNumber()};` : null;
      const written = added === null ? text : withFile(text, added);
      folder.append(new TextEncoder().encode(written), visit.now, ["\\Draft", "\\Seen"]);
      folder.expunge([copy.uid]);
      if (random.chance(0.5)) {
        const entry = yield* walked.entryOf(subject);
        visit.same([entry?.id, entry?.version], [draft.id, draft.version + 1], `the entry of ${subject}`);
      }
      // A version that may have been sent is answered as before.
      const refused = random.pick(["save", "remove", draft.mayBeSent ? "save" : "send"] as const);
      const version = String(draft.version);
      const tag = yield* refused === "send"
        ? visit.tagOf("send", (services) =>
            Context.get(services, DraftSender).send(account, draft.id, version, undefined),
          )
        : refused === "save"
          ? tagOf("save", (all) => all.save(account, draft.id, version, write()))
          : tagOf("remove", (all) => all.remove(account, draft.id, version));
      visit.same(tag, "DraftChanged", `${refused} of a version that another client replaced`);
      const found = yield* ask("get", (all) => all.get(account, draft.id));
      const attachments = found.contents.attachments.map(({ uploadId: id }) => ({ id }));
      const file = kept ?? added;
      visit.same(attachments.length, file === null ? 0 : 1, `the number of files of ${subject}`);
      if (file !== null) walked.addFile(attachments[0]!.id, file);
      Object.assign(draft, {
        version: draft.version + 1,
        // The copy has neither a time to send it nor a wish to track it.
        request: { to, cc, bcc, subject, attachments },
        isForeign: true,
        reason: found.reason?.reason ?? null,
        mayBeSent: false,
        message: null,
      });
      compareDraft(visit, draft, found);
    });
};

/** Returns a message in plain text with a file. */
export const withFile = (text: string, file: string): string => {
  const end = text.indexOf("\r\n\r\n");
  const type = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"';
  const disposition = 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="file.txt"';
  const body = `--b\r\n\r\n${text.slice(end + 4)}\r\n--b\r\n${disposition}\r\n\r\n${file}\r\n--b--\r\n`;
  return `${text.slice(0, end)}\r\n${type}\r\n\r\n${body}`;
};
