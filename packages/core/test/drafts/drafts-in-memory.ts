import { Effect, Layer, Option, Result, Stream } from "effect";
import { Creations } from "../../src/creations/index.ts";
import {
  type Approval,
  type Draft,
  type DraftMark,
  DraftRecords,
  Drafts,
  DraftSender,
  DraftsFolder,
} from "../../src/drafts/index.ts";
import type { BodyPart } from "../../src/mail/index.ts";
import type { ReadMessage } from "../../src/messages/ReadMessage.ts";
import { MessageNotFound, MessageReader, Messages } from "../../src/messages/index.ts";
import {
  type Composition,
  Identities,
  MessageComposer,
  MessageSender,
  OutgoingJournal,
  type OutgoingMessage,
  UploadContents,
  UploadRecords,
  Uploads,
} from "../../src/send/index.ts";
import { SenderNotAllowed } from "../../src/send/errors.ts";
import { Digest, Entropy, Transaction } from "../../src/shared/index.ts";
import { numberedIds } from "../doubles.ts";
import { MailboxWorld, ME, stored, type StoredMessage } from "../messages/mailbox-in-memory.ts";
import { outgoing } from "../outgoing.ts";
import { approvalPorts } from "./approval-ports.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A message of the Drafts folder, as our composer or another client wrote it. */
interface Written extends StoredMessage {
  readonly mark: DraftMark | null;
  readonly text: string;
  readonly raw: string;
  readonly files?: ReadonlyArray<BodyPart>;
}

const MIXED: BodyPart = {
  section: "",
  type: "multipart/mixed",
  parameters: {},
  encoding: "7bit",
  size: 0,
  name: null,
  disposition: null,
  contentId: null,
  parts: [],
};

/** A file of another client's draft. */
export const fileOf = (section: string, name: string): BodyPart => ({ ...MIXED, section, type: "text/csv", name });

const textOf = (bytes: Stream.Stream<Uint8Array, never>) =>
  Effect.map(Stream.runCollect(bytes), (parts) => [...parts].map((part) => new TextDecoder().decode(part)).join(""));

/** An account with a Drafts folder, the rows of its drafts, and its outgoing messages. */
export class DraftsWorld extends MailboxWorld {
  rows = new Map<string, Draft>();
  /** Upload ids by the draft that pins them. */
  pins = new Map<string, ReadonlyArray<string>>();
  /** Sizes of uploads by their ids. */
  uploads = new Map<string, number>();
  approvals = new Map<string, Approval>();
  /** The events that were published. */
  told: ReadonlyArray<readonly [type: string, data: unknown]> = [];
  journal = new Map<string, { message: OutgoingMessage; leased: boolean }>();
  /** What happens between reading a draft and storing it. */
  meanwhile: () => unknown = () => {};
  /** What happens after a request has looked for the copies of a draft. */
  afterFind: () => unknown = () => {};
  /** What happens after an outgoing message was looked up. */
  afterLookup: () => unknown = () => {};
  /** The messages that were composed. */
  composed: Array<Composition> = [];
  /** The resources that were recorded under an `Idempotency-Key`. */
  claims: Array<string> = [];
  sent: Array<unknown> = [];
  /** The error of a request to send, before the draft is handed over. */
  refusal: unknown = null;
  /** The error of the first attempt, with its message. */
  failure: readonly [error: unknown, message: Partial<OutgoingMessage>] | null = null;
  isPartial = false;
  #uid = 0;
  /** Each row is claimed once for each layer. */
  #claimed = new Set<string>();

  constructor() {
    super([
      { id: "drafts", role: "drafts", messages: [] },
      { id: "inbox", role: "inbox", messages: [] },
    ]);
  }

  override present(path: string, uids: ReadonlyArray<number>) {
    return Effect.tap(super.present(path, uids), () => Effect.sync(() => this.meanwhile()));
  }

  get written(): ReadonlyArray<Written> {
    return this.folder("drafts")!.messages as ReadonlyArray<Written>;
  }

  /** Another client stores a draft, or a version of ours if it keeps the mark. */
  write(
    subject: string,
    text: string,
    mark: DraftMark | null = null,
    arrivedAt = 0,
    fields: Partial<Written> = {},
  ): number {
    const uid = ++this.#uid;
    const folder = this.folder("drafts")!;
    const more = { mark, text, raw: `${subject}\n${text}\n${JSON.stringify(mark)}` };
    folder.messages = [...folder.messages, { ...stored(uid, { subject, arrivedAt, ...fields }), ...more, ...fields }];
    return uid;
  }

  /** Another client deletes a message. */
  drop(uid: number): void {
    const folder = this.folder("drafts")!;
    folder.messages = folder.messages.filter((one) => one.uid !== uid);
  }

  get #listing() {
    const folder = this.folder("drafts");
    return folder === undefined
      ? null
      : {
          path: "drafts",
          uidValidity: this.uidValidity,
          isPartial: this.isPartial,
          copies: this.written.map((one) => ({ uid: one.uid, mark: one.mark, summary: one })),
        };
  }

  /** Runs a transaction. */
  #run<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const before = [new Map(this.rows), new Map(this.pins), new Map(this.approvals), this.told] as const;
      return Effect.onError(effect, () =>
        Effect.sync(() => void ([this.rows, this.pins, this.approvals, this.told] = before)),
      );
    });
  }

  readonly all = Layer.suspend(() => {
    this.#claimed.clear();
    const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
    const rows = Layer.mock(DraftRecords, {
      insert: (draft) => Effect.sync(() => !this.rows.has(draft.id) && (this.rows.set(draft.id, draft), true)),
      find: (_, id) => Effect.sync(() => Option.fromUndefinedOr(this.rows.get(id))),
      list: () => Effect.sync(() => [...this.rows.values()].filter(({ state }) => state !== "sent")),
      change: (_, id, decide) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(this.rows.get(id)), (known) => {
            const [answer, after] = decide(known);
            this.rows.set(id, after);
            return answer;
          }),
        ),
      remove: (_, id) => Effect.sync(() => void this.rows.delete(id)),
      claim: (now) =>
        Effect.sync(() => {
          const due = [...this.rows.values()].filter(
            ({ checkAt, id }) => checkAt !== null && checkAt <= now && !this.#claimed.has(id),
          );
          for (const { id } of due) this.#claimed.add(id);
          return due;
        }),
      nextDue: Effect.succeedNone,
      changed: Effect.never,
    });
    const folder = Layer.mock(DraftsFolder, {
      list: () => Effect.sync(() => this.#listing),
      find: (_, id, uid) =>
        Effect.sync(() => {
          const listing = this.#listing;
          this.afterFind();
          return (
            listing && {
              ...listing,
              copies: listing.copies.filter((one) => one.mark?.draftId === id || one.uid === uid),
            }
          );
        }),
      append: (_, mark, message) =>
        Effect.map(Effect.orDie(textOf(message as Stream.Stream<Uint8Array>)), (raw) => {
          this.meanwhile();
          const [subject, text] = raw.split("\n");
          const uid = this.write(subject!, text!, mark);
          const own = this.folder("drafts")!;
          own.messages = this.written.map((one) => (one.uid === uid ? { ...one, raw } : one));
          return { path: "drafts", uidValidity: this.uidValidity, uid };
        }),
    });
    const messages = Layer.mock(Messages, {
      read: (_, id) =>
        Effect.suspend(() => {
          const [, path, , uid] = JSON.parse(id);
          const found = this.message(path, uid) as Written | undefined;
          if (found === undefined) return new MessageNotFound();
          const parsed = { headers: [["Bcc", "bcc@x.test"]], text: found.text, html: null };
          return Effect.succeed({
            id,
            folder: { id: path, path },
            summary: found,
            attachments: (found.files ?? []).map(
              ({ section }) => ({ id: section }) as ReadMessage["attachments"][number],
            ),
            parsed: Result.succeed(parsed as never),
            truncated: false,
            automatic: false,
            inReplyTo: null,
            references: [],
          });
        }),
    });
    const reader = Layer.mock(MessageReader, {
      open: (_, { path, uid }) =>
        Effect.suspend(() => {
          const found = this.message(path, uid);
          return found === undefined
            ? new MessageNotFound()
            : Effect.succeed({
                summary: found,
                structure: { ...MIXED, parts: (found as Written).files ?? [] },
                header: new Uint8Array(),
                readBeginnings: () => Effect.die(""),
              });
        }),
      bytes: (_, { uid }) =>
        Effect.suspend(() => {
          const found = this.written.find((one) => one.uid === uid);
          return found === undefined
            ? new MessageNotFound()
            : Effect.succeed(Stream.make(new TextEncoder().encode(found.raw)));
        }),
    });
    const uploads = Layer.mock(UploadRecords, {
      find: (account, id) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(this.uploads.get(id)), (size) => ({
            id,
            account,
            name: "a.pdf",
            type: "application/pdf",
            size,
            createdAt: 0,
            isPinned: true,
          })),
        ),
      pin: (_, ids, holder) =>
        Effect.sync(() => {
          const pinned = [...new Set([...(this.pins.get(holder) ?? []), ...ids])];
          return ids.every((id) => this.uploads.has(id)) && (this.pins.set(holder, pinned), true);
        }),
      unpin: (holders) => Effect.sync(() => holders.forEach((holder) => this.pins.delete(holder))),
    });
    const sending = Layer.mergeAll(
      Layer.mock(OutgoingJournal, {
        find: (_, id) =>
          Effect.sync(() => {
            const found = Option.fromUndefinedOr(this.journal.get(id));
            this.afterLookup();
            return found;
          }),
      }),
      Layer.mock(MessageSender, {
        send: (account, request, key, by, within) =>
          Effect.gen({ self: this }, function* () {
            const id = `out_${this.sent.length + 1}`;
            const message = { ...outgoing({ "a@y.test": "sent" }), id, account };
            this.meanwhile();
            if (this.refusal !== null) return yield* Effect.fail(this.refusal) as Effect.Effect<never>;
            yield* this.#run((within?.(message) ?? Effect.void) as Effect.Effect<void>);
            this.sent.push({ request, key, by });
            const [error = null, failed = {}] = this.failure ?? [];
            this.journal.set(id, { message: { ...message, ...failed }, leased: false });
            if (error !== null) return yield* Effect.fail(error) as Effect.Effect<never>;
            return { id, messageId: message.messageId, providerMessageId: null, rejected: [], status: "sent" as const };
          }),
      }),
    );
    const more = Layer.mergeAll(
      Layer.mock(Creations, {
        once: (key, _, create, find) => {
          const note = (step: string) => (id: string) => Effect.sync(() => void this.claims.push(`${step} ${id}`));
          const claim = { begin: note("begin"), complete: note("complete") };
          return key === undefined
            ? create(claim)
            : Effect.flatMap(find(key.key, claim), (one) =>
                Option.isSome(one) ? Effect.succeed(one.value) : create(claim),
              );
        },
      }),
      Layer.mock(Identities, {
        sender: (_, from) =>
          from === undefined || from === ME
            ? Effect.succeed({ from: { name: "", address: ME }, replyTo: [] })
            : Effect.fail(new SenderNotAllowed()),
      }),
      Layer.mock(MessageComposer, {
        compose: (message) => {
          this.composed.push(message);
          const { subject, text, from, to, date } = message;
          const addresses = [from, ...to].map(({ address }) => address).join();
          return Stream.make(new TextEncoder().encode(`${subject}\n${text}\n${addresses} ${date}`));
        },
      }),
      Layer.mock(Digest, { sha256: (bytes) => textOf(bytes as Stream.Stream<Uint8Array>) }),
      Layer.mock(UploadContents, {}),
      Layer.mock(Uploads, {
        receive: (account, { name, type }) =>
          Effect.sync(() => {
            const id = `up_${this.uploads.size + 1}`;
            this.uploads.set(id, 7);
            return { id, account, name, type, size: 7, createdAt: 0, isPinned: false };
          }),
      }),
      Layer.succeed(Entropy, entropy),
      Layer.succeed(Transaction, {
        run: (effect) => this.#run(effect),
      }),
    );
    const doubles = Layer.mergeAll(
      this.layer,
      rows,
      approvalPorts(this),
      folder,
      messages,
      uploads,
      sending,
      more,
    ).pipe(Layer.merge(reader));
    return Layer.mergeAll(Drafts.layer, DraftSender.layer).pipe(Layer.provideMerge(doubles));
  });
}
