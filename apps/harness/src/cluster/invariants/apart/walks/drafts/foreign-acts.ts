import { DraftSender } from "@postern/core/drafts";
import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { Act } from "../walk.ts";
import { compareDraft } from "./compare-draft.ts";
import { withFile } from "./draft-editor.ts";
import type { DraftRequest, ModelDraft } from "./model-draft.ts";
import type { WalkedDrafts } from "./walked-drafts.ts";

const NAMES = ["one", "one", "refused", "mail-refused"];

/**
 * Drafts that another program wrote, changed without a mark, or removed; and drafts by the ids of their messages. [S12.1-12]
 * [S12.1-18] [S12.1-19] [S12.1-20]
 */
export const foreignActs = (visit: Visit, cluster: Cluster, walked: WalkedDrafts): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, drafts, ask, tagOf, write, open, copyOf, entryOf } = walked;
  const folder = () => cluster.mail.account(account).mailbox("Drafts");
  const store = (text: string) => folder().append(new TextEncoder().encode(text), visit.now, ["\\Draft", "\\Seen"]);
  const calm = () => open().filter(({ state, mayBeSent }) => state === "draft" && !mayBeSent);
  const unmarked = () => calm().filter((draft) => copyOf(draft)?.draftId === null);
  const plain = () =>
    calm().filter((draft) => copyOf(draft)?.draftId === draft.id && String(draft.request.to).includes("@"));

  /** Notes a message of the folder as another program's draft, which may be opened at once. */
  const note = (request: DraftRequest, file: string | null) =>
    Effect.gen(function* () {
      const { to, subject } = request;
      const entry = yield* entryOf(subject!);
      visit.same(
        [entry?.version, entry?.state, entry?.to[0]?.address, entry?.hasAttachments],
        [1, "draft", to, file !== null],
        `the entry of ${subject}`,
      );
      if (entry === undefined) return;
      const draft: ModelDraft = {
        id: entry.id,
        version: 1,
        request,
        state: "draft",
        reason: null,
        message: null,
        mayBeSent: false,
        isForeign: true,
      };
      drafts.push(draft);
      if (file === null && random.chance(0.5)) return;
      const found = yield* ask("open", (all) => all.get(account, draft.id));
      compareDraft(visit, draft, found);
      const { contents } = found;
      visit.same(
        [contents.to, contents.cc, contents.bcc, contents.replyTo].map((some) => some[0]?.address ?? null),
        [to, request.cc, request.bcc, request.replyTo].map((one) => one ?? null),
        `the addresses of ${subject}`,
      );
      visit.same(contents.attachments.length, file === null ? 0 : 1, `the number of files of ${subject}`);
      if (file === null) return;
      walked.addFile(contents.attachments[0]!.uploadId, file);
      draft.request = { ...request, attachments: contents.attachments.map(({ uploadId: id }) => ({ id })) };
    });
  const writeElsewhere = Effect.suspend(() => {
    const number = walked.nextNumber();
    const request: DraftRequest = {
      to: `${random.pick(NAMES)}-${number}@far.test`,
      subject: `foreign ${number}`,
      ...Object.fromEntries(
        random.some(
          ["cc", "bcc", "replyTo"].map((name) => [name, `${name.toLowerCase()}-${number}@far.test`]),
          random.between(0, 3),
        ),
      ),
    };
    const { to, subject, cc, bcc, replyTo } = request;
    const fields = { From: account, To: to, Cc: cc, Bcc: bcc, "Reply-To": replyTo, Subject: subject };
    const header = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    );
    const text = [...header, `Message-ID: <foreign-${number}@far.test>`, "", `text ${number}`].join("\r\n");
    const file = random.chance(0.4) ? `the file ${walked.nextNumber()};` : null;
    store(file === null ? text : withFile(text, file));
    return note(request, file);
  });
  /** A draft whose only copy is gone is no draft any more. */
  const endElsewhere = (draft: ModelDraft) =>
    Effect.gen(function* () {
      const { id, version, request } = draft;
      const saved = yield* random.chance(0.5)
        ? tagOf("save", (all) => all.save(account, id, String(version), write()))
        : Effect.succeed("DraftNotFound");
      visit.expect(
        saved === "DraftChanged" || saved === "DraftNotFound",
        `a save of ${request.subject}, whose copy is gone, is answered with ${saved}`,
      );
      const tag = yield* random.pick([
        tagOf("get", (all) => all.get(account, id)),
        tagOf("remove", (all) => all.remove(account, id)),
        visit.tagOf("send", (services) =>
          Context.get(services, DraftSender).send(account, id, String(version), undefined),
        ),
      ])!;
      visit.same(tag, "DraftNotFound", `a request for ${request.subject}, whose copy is gone`);
      draft.state = "removed";
    });
  const removeElsewhere = Effect.suspend(() => {
    const draft = random.pick(calm())!;
    folder().expunge([copyOf(draft)!.uid]);
    return endElsewhere(draft);
  });
  /** Another program replaces a draft without a mark: this is another draft. */
  const replaceElsewhere = Effect.gen(function* () {
    const draft = random.pick(unmarked())!;
    const { request } = draft;
    const { uid, text } = copyOf(draft)!;
    const subject = `foreign ${walked.nextNumber()}`;
    store(text.replace(`Subject: ${request.subject}`, `Subject: ${subject}`));
    folder().expunge([uid]);
    yield* endElsewhere(draft);
    const [file = null] = walked.textsOf(draft);
    yield* note({ ...request, subject, attachments: [] }, file);
  });
  /** Another program changes a version that was replaced meanwhile: the current version stays as a draft of its own. */
  const editBehind = Effect.gen(function* () {
    const draft = random.pick(plain())!;
    const { text } = copyOf(draft)!;
    const { to, cc, bcc, subject: first } = draft.request;
    const [file = null] = draft.isForeign ? walked.textsOf(draft) : [];
    const number = walked.nextNumber();
    const request = { to: `one-${number}@far.test`, subject: `draft ${number}`, text: `text ${number}` };
    yield* ask("save", (all) => all.save(account, draft.id, String(draft.version), request));
    const subject = `elsewhere ${walked.nextNumber()}`;
    store(text.replace(`Subject: ${first}`, `Subject: ${subject}`));
    const found = yield* ask("get", (all) => all.get(account, draft.id));
    const attachments = found.contents.attachments.map(({ uploadId: id }) => ({ id }));
    visit.same(attachments.length, file === null ? 0 : 1, `the number of files of ${subject}`);
    if (file !== null) walked.addFile(attachments[0]!.id, file);
    Object.assign(draft, {
      version: draft.version + 2,
      request: { to, cc, bcc, subject, attachments },
      isForeign: true,
      reason: null,
      message: null,
    });
    compareDraft(visit, draft, found);
    yield* note(request, null);
  });
  /** A draft is opened by the id of the message that is its copy; a message of another folder is no draft. */
  const openByMessage = Effect.gen(function* () {
    const draft = random.pick(open())!;
    const copy = copyOf(draft);
    const idOf = (name: string, uid: number) =>
      Effect.map(
        visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder: name })),
        ({ page }) => page.emails.find(({ message }) => message.uid === uid)?.id,
      );
    if (copy === undefined) return visit.expect(false, `${draft.request.subject} has no copy`);
    const id = yield* idOf("Drafts", copy.uid);
    if (id !== undefined) compareDraft(visit, draft, yield* ask("open by the message", (all) => all.get(account, id)));
    const inbox = cluster.mail.account(account).mailbox("INBOX");
    const { uid } = inbox.append(new TextEncoder().encode(copy.text), visit.now, ["\\Draft"]);
    const other = yield* idOf("INBOX", uid);
    const tag = yield* tagOf("open by the message", (all) => all.get(account, other ?? "none"));
    visit.same(tag, "DraftNotFound", "opening a message of the inbox as a draft");
    inbox.expunge([uid]);
  });

  const act = (name: string, weight: number, isPossible: () => boolean, run: Act["run"]): Act => ({
    name,
    weight,
    isPossible,
    run,
  });
  return [
    act("write a draft elsewhere", 3, () => open().length < 12, writeElsewhere),
    act("remove a copy elsewhere", 1, () => calm().length > 0, removeElsewhere),
    act("replace a draft elsewhere", 2, () => unmarked().length > 0, replaceElsewhere),
    act("edit an earlier version elsewhere", 2, () => plain().length > 0, editBehind),
    act("open by the message", 2, () => open().length > 0, openByMessage),
  ];
};
