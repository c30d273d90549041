import { Clock, Context, Effect, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { recordAgentChange } from "../auth/neighbours.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { Messages } from "../messages/index.ts";
import {
  attachmentsGone,
  attachmentsOf,
  checkSend,
  completeAnswer,
  originalMessages,
  readAnswered,
  readSendRequest,
  type SendRequest,
  uploadStore,
} from "../send/neighbours.ts";
import type { MessageTooLarge } from "../send/index.ts";
import { type AccountId, Entropy, type InputInvalid } from "../shared/index.ts";
import { type Page, type PageRequest, checkPage, pageOf } from "../shared/neighbours.ts";
import { answeringContents, contentsOf } from "./draft-request.ts";
import { begin, complete, isCurrentDraft, isWanted, refuse, removePending } from "./draft-state.ts";
import type { DraftEntry } from "./DraftEntry.ts";
import type { Draft, DraftContents } from "./Draft.ts";
import { composeCopy, messageOf, removeCopies, storeCopy } from "./draft-copies.ts";
import { DraftChanged, DraftNotFound, StorageExceeded } from "./errors.ts";
import { MAX_STORED_BYTES } from "./limits.ts";
import { listDrafts } from "./list-drafts.ts";
import { compareDraft, draftStore, endOfVersion, NEW_DRAFT, openDraft } from "./open-draft.ts";

/** The row after a save (null if the save was refused), and the copies to remove. */
type Ended = readonly [after: Draft | null, removed: ReadonlyArray<number>];

type SaveError = MailboxAccessError | InputInvalid | MessageTooLarge | StorageExceeded;

/** Keeps drafts in the Drafts folder (spec 12.1). */
export class Drafts extends Context.Service<
  Drafts,
  {
    /** Returns a page of the drafts, newest first, including drafts of other clients; reads at most 200 messages of the folder. */
    readonly page: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<DraftEntry>, InputInvalid | MailboxAccessError>;
    /** Stores a new draft, once for each key. A draft that answers or forwards a message takes missing fields from that message. */
    readonly create: (
      account: AccountId,
      request: SendRequest,
      key?: CreationKey,
    ) => Effect.Effect<Draft, SaveError | DraftChanged | RepeatError>;
    readonly get: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<Draft, InputInvalid | MailboxAccessError | DraftNotFound | DraftChanged | MessageTooLarge>;
    /** Replaces the fields of a draft; fails if the client's version is no longer current. */
    readonly save: (
      account: AccountId,
      id: string,
      version: string,
      request: SendRequest,
    ) => Effect.Effect<Draft, SaveError | DraftNotFound | DraftChanged>;
    /** Deletes a draft with its copies; fails if the draft is being sent, or the client's version is not current. */
    readonly remove: (
      account: AccountId,
      id: string,
      version?: string,
    ) => Effect.Effect<void, InputInvalid | MailboxAccessError | DraftNotFound | DraftChanged | MessageTooLarge>;
  }
>()("@postern/core/drafts/Drafts") {
  static readonly layer = Layer.effect(
    Drafts,
    Effect.gen(function* () {
      const creations = yield* Creations;
      const store = yield* draftStore;
      const { records, copies, transaction, uploadRecords: files } = store;
      const messages = yield* Messages;
      const originals = yield* originalMessages;
      const uploads = yield* uploadStore;
      const entropy = yield* Entropy;

      const read = Effect.fnUntraced(function* (account: AccountId, request: SendRequest, now: number) {
        const message = yield* Effect.fromResult(readSendRequest(request, now, true));
        const attachments = yield* attachmentsOf(uploads, account, message, now);
        return contentsOf(message, request, attachments);
      });

      /** Pins only the files of a draft and of its stored version, within the storage limit of the account. */
      const pin = Effect.fnUntraced(function* (
        account: AccountId,
        id: string,
        contents: DraftContents,
        stored: DraftContents = contents,
      ) {
        const others = (yield* records.list(account)).filter((draft) => draft.id !== id);
        const bytes = [contents, ...others.map((draft) => draft.contents)]
          .flatMap(({ attachments }) => attachments)
          .reduce((sum, { size }) => sum + size, 0);
        if (bytes > MAX_STORED_BYTES) return yield* new StorageExceeded();
        yield* files.unpin([id]);
        const wanted = new Set([...contents.attachments, ...stored.attachments].map(({ uploadId }) => uploadId));
        if (wanted.size > 0 && !(yield* files.pin(account, [...wanted], id))) {
          return yield* attachmentsGone(contents.attachments.length);
        }
      });

      const createOne = Effect.fnUntraced(function* (account: AccountId, request: SendRequest, claim: KeyClaim) {
        const now = yield* Clock.currentTimeMillis;
        const completed = yield* completeAnswer(messages, account, request);
        const answered = yield* readAnswered(originals, account, completed);
        const said = yield* read(account, completed, now);
        const contents = answeringContents(said, answered);
        const message = yield* messageOf(copies, account, contents);
        const [id, token] = [`dft_${yield* entropy.id(128)}`, yield* entropy.id(128)];
        const first = yield* composeCopy(copies, { id, account }, token, message, now);
        const pending = [{ token, checksum: first.checksum }];
        const draft: Draft = { ...NEW_DRAFT, id, account, savedAt: now, contents, token, pending };
        yield* transaction.run(
          Effect.gen(function* () {
            yield* claim.begin(id);
            yield* records.insert(draft);
            yield* pin(account, id, contents);
            yield* recordAgentChange("drafts.create", { account, target: id });
          }),
        );
        // A failed call may still have stored the message in the folder, so the row stays until that is known.
        const copy = yield* storeCopy(copies, draft, first);
        const stored = yield* records.change(account, id, (known) => {
          // Another request may already have found the copy in the folder and changed the draft.
          const isFirst = known.version === draft.version && known.copy === null;
          const after = isFirst
            ? { ...known, copy, pending: removePending(known, token) }
            : refuse(known, copy, token)[1];
          return [after, after];
        });
        yield* claim.complete(id);
        return Option.getOrElse(stored, () => ({ ...draft, copy }));
      });

      const get = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const { draft } = yield* openDraft(store, account, id);
        return draft.state === "sent" ? yield* new DraftNotFound() : draft;
      });

      const create = Effect.fn("Drafts.create")((account: AccountId, request: SendRequest, key?: CreationKey) =>
        creations
          .once(
            key,
            { operation: "drafts.create", request },
            (claim) => createOne(account, request, claim),
            (id, claim) =>
              get(account, id).pipe(
                Effect.tap(() => claim.complete(id)),
                Effect.asSome,
                Effect.catchTag("DraftNotFound", () => Effect.succeedNone),
              ),
          )
          .pipe((created) => Effect.andThen(checkSend(request), created)),
      );

      const save = Effect.fn("Drafts.save")(function* (
        account: AccountId,
        asked: string,
        version: string,
        request: SendRequest,
      ) {
        yield* checkSend(request);
        const now = yield* Clock.currentTimeMillis;
        const known = yield* compareDraft(store, account, asked);
        const { draft } = known;
        const { id } = draft;
        const current = known.copies;
        if (draft.state === "sent") return yield* new DraftNotFound();
        if (!isCurrentDraft(draft, Number(version)) || current?._tag !== "Current") return yield* new DraftChanged();
        const said = yield* read(account, request, now);
        const isSameAnswer =
          said.replyToMessageId !== null && said.replyToMessageId === draft.contents.replyToMessageId;
        const contents = isSameAnswer ? answeringContents(said, { ...draft.contents, attachments: [] }) : said;
        const message = yield* messageOf(copies, account, contents);
        const token = yield* entropy.id(128);
        const next = yield* composeCopy(copies, draft, token, message, now);
        const { checksum } = next;
        yield* transaction.run(
          Effect.gen(function* () {
            const begun = yield* records.change(account, id, (row) => begin(row, draft.version, { token, checksum }));
            if (!Option.contains(begun, true)) return yield* new DraftChanged();
            // If the save fails, the files of the stored version are still needed.
            yield* pin(account, id, contents, draft.contents);
            yield* recordAgentChange("drafts.save", { account, target: id });
          }),
        );
        const copy = yield* storeCopy(copies, draft, next);
        const superseded = [...current.superseded, current.copy.uid];
        const saved = { version: draft.version + 1, contents, savedAt: now };
        const [after, removed] = yield* transaction.run(
          Effect.gen(function* () {
            const completed = yield* records.change(account, id, (row): readonly [Ended, Draft] => {
              const [isDone, done] = complete(row, draft, saved, copy, token, superseded);
              if (isDone) return [[done, superseded], done];
              const [isOurs, refused] = refuse(row, copy, token);
              return [[null, isOurs ? [copy.uid] : []], refused];
            });
            const ended = Option.getOrElse(completed, (): Ended => [null, [copy.uid]]);
            if (ended[0] !== null) {
              yield* pin(account, id, contents);
              yield* endOfVersion(store, draft);
            }
            return ended;
          }),
        );
        yield* Effect.catch(removeCopies(copies, account, copy, removed), (error) =>
          Effect.logWarning("removing an earlier copy of a draft failed, the next save removes it", error._tag),
        );
        return after ?? (yield* new DraftChanged());
      });

      const remove = Effect.fn("Drafts.remove")(function* (account: AccountId, id: string, version?: string) {
        const { draft, copies: found } = yield* openDraft(store, account, id);
        if (draft.state === "sent") return yield* new DraftNotFound();
        if (found?._tag !== "Current" || !isWanted(version, draft.version)) return yield* new DraftChanged();
        yield* removeCopies(copies, account, found.copy, [...found.superseded, found.copy.uid]);
        yield* transaction.run(
          Effect.gen(function* () {
            // Another request may have handed the draft over while its copies were removed. It is sent, and not deleted.
            const isLeft = yield* records.change(account, draft.id, (row) => [isCurrentDraft(row, draft.version), row]);
            if (Option.contains(isLeft, false)) return yield* new DraftChanged();
            yield* records.remove(account, draft.id);
            yield* files.unpin([draft.id]);
            yield* endOfVersion(store, draft);
            yield* recordOperation("drafts.remove", { account, target: draft.id });
          }),
        );
      });

      const page = Effect.fn("Drafts.page")(function* (account: AccountId, request: PageRequest) {
        yield* checkPage(request);
        return yield* pageOf(request, yield* listDrafts(store, account), ({ savedAt, id }) => ({ at: -savedAt, id }));
      });

      return Drafts.of({
        page,
        create,
        get,
        save,
        remove,
      });
    }),
  );
}
