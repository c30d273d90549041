import { Drafts, readMark } from "@postern/core/drafts";
import { DRAFT_HEADER, Uploads } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE } from "../../durations.ts";
import { compareDraft } from "./compare-draft.ts";
import { type DraftRequest, isOpen, type ModelDraft, writeDraft } from "./model-draft.ts";

/** An upload that drafts may name. */
export interface ModelFile {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
  /** Whether a save that failed named the file, so that it may be kept for longer. */
  isDoubtful: boolean;
}

/** The time around the end of a file in which both answers are right. */
const NEAR = MINUTE;

/** Returns the drafts of an account and the files that they may name, with a model of both. [S6.1-2] [S12.1-16] */
export const walkedDrafts = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const { random } = cluster;
  const drafts: Array<ModelDraft> = [];
  const files: Array<ModelFile> = [];
  let count = 0;
  const ask = <A, E>(name: string, use: (all: Drafts["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => use(Context.get(services, Drafts)));
  const open = () => drafts.filter(isOpen);
  const names = ({ request }: Pick<ModelDraft, "request">, { id }: ModelFile) =>
    request.attachments?.some((one) => one.id === id) === true;
  const isPinned = (file: ModelFile) => open().some((draft) => names(draft, file));
  const isFresh = ({ createdAt }: ModelFile) => visit.now < createdAt + DAY - NEAR;
  const isKept = (file: ModelFile) => isPinned(file) || isFresh(file);
  /** Whether a message that was sent to some recipients may still be sent to another one. */
  const mayBeSent = (file: ModelFile) =>
    drafts.some(
      (draft) => draft.state === "sent" && String(draft.request.to).startsWith("never") && names(draft, file),
    );
  const isUncertain = (file: ModelFile) =>
    !isPinned(file) &&
    (Math.abs(file.createdAt + DAY - visit.now) < NEAR || ((file.isDoubtful || mayBeSent(file)) && !isFresh(file)));
  const textsOf = ({ request }: ModelDraft) => files.filter((file) => names({ request }, file)).map(({ text }) => text);

  return {
    account,
    drafts,
    files,
    ask,
    tagOf: <A, E extends { readonly _tag: string }>(
      name: string,
      use: (all: Drafts["Service"]) => Effect.Effect<A, E>,
    ) => visit.tagOf(name, (services) => use(Context.get(services, Drafts))),
    open,
    /** Returns the copy of a draft in the folder, with the id in its mark; subjects are unique. */
    copyOf: ({ request }: ModelDraft) => {
      const { messages } = cluster.mail.account(account).mailbox("Drafts");
      const copy = messages.find(({ summary }) => summary.subject === request.subject);
      if (copy === undefined) return undefined;
      const text = new TextDecoder().decode(copy.raw);
      const mark = new RegExp(`^${DRAFT_HEADER}: (.*)\\r$`, "m").exec(text)?.[1];
      return { uid: copy.uid, text, draftId: mark === undefined ? null : (readMark(mark)?.draftId ?? null) };
    },
    /** Returns the entry of the draft with this subject in the list. */
    entryOf: (subject: string) =>
      Effect.map(
        ask("list", (all) => all.page(account, {})),
        ({ items }) => items.find((entry) => entry.subject === subject),
      ),
    nextNumber: () => ++count,
    textsOf,
    /** Writes a request, which may name files that are kept. */
    write: (): DraftRequest => {
      const usable = files.filter((file) => isKept(file) && !isUncertain(file));
      const chosen = random.chance(0.5) ? random.some(usable, random.between(1, 3)) : [];
      const attachments = chosen.length === 0 ? {} : { attachments: chosen.map(({ id }) => ({ id })) };
      return { ...writeDraft(random, ++count, visit.now), ...attachments };
    },
    /** Notes that a save was refused: the files that it named may be kept for longer. */
    doubt: (request: DraftRequest) => {
      for (const file of files) if (names({ request }, file)) file.isDoubtful = true;
    },
    /** Whether a request beside the one that changed a draft may lack a file, because only the version before kept it. */
    mayLack: (request: DraftRequest, draft: ModelDraft, won: DraftRequest | null) =>
      files.some(
        (file) =>
          names({ request }, file) &&
          !isFresh(file) &&
          !(won !== null && names({ request: won }, file)) &&
          !open().some((one) => one !== draft && names(one, file)),
      ),
    upload: Effect.gen(function* () {
      const text = `the file ${++count};`;
      const { id, createdAt } = yield* visit.ask("upload", (services) =>
        Context.get(services, Uploads).receive(account, {
          name: `${count}.txt`,
          type: "text/plain",
          bytes: Stream.make(new TextEncoder().encode(text)),
        }),
      );
      files.push({ id, text, createdAt, isDoubtful: false });
    }),
    /** Notes a file that another program attached to a draft. */
    addFile: (id: string, text: string) => void files.push({ id, text, createdAt: visit.now, isDoubtful: false }),
    /** Compares which files are kept. */
    compareFiles: Effect.gen(function* () {
      for (const file of random.some(files, 4)) {
        if (isUncertain(file)) continue;
        const tag = yield* visit.tagOf("open", (services) => Context.get(services, Uploads).open(account, file.id));
        const hours = Math.floor((visit.now - file.createdAt) / (DAY / 24));
        visit.same(
          tag,
          isKept(file) ? "Answered" : "UploadNotFound",
          `opening ${file.text} after ${hours} hours, which ${isPinned(file) ? "a draft" : "no draft"} names`,
        );
      }
    }),
    read: (draft: ModelDraft): Effect.Effect<void, unknown> =>
      Effect.map(
        ask("get", (all) => all.get(account, draft.id)),
        (found) => compareDraft(visit, draft, found),
      ),
    /** When files are deleted unless a draft names them. */
    ends: () => files.map(({ createdAt }) => createdAt + DAY),
  };
};
export type WalkedDrafts = ReturnType<typeof walkedDrafts>;
