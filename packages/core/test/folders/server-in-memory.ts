import { Effect, Layer, Option } from "effect";
import { EventPublisher } from "../../src/events/index.ts";
import {
  type FolderRecord,
  FolderRecords,
  type FolderRemoval,
  FolderRemovals,
  Folders,
  MailboxChanges,
  MailboxTree,
} from "../../src/folders/index.ts";
import { sameFolders } from "../../src/folders/reconcile.ts";
import {
  FolderExists,
  FolderNameInvalid,
  FolderNotFound,
  type FolderRole,
  type ListedMailbox,
  MailServerError,
} from "../../src/mail/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { OwnMoves } from "../../src/watch/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";
import { listedAt } from "./listed.ts";

export const ME = AccountId("me@x.test");

/** A mailbox with its messages; `null` for a name that only contains other mailboxes. */
interface Mailbox {
  readonly messages: number | null;
  readonly role?: FolderRole;
  readonly uidValidity: number;
}

/** A mail server that moves two messages at a time, the folders known to the service, and the commands received. */
export class FolderServer {
  readonly boxes = new Map<string, Mailbox>();
  records: ReadonlyArray<FolderRecord> = [];
  removals: Array<FolderRemoval> = [];
  /** Whether another worker executes the removals. */
  isLeased = false;
  readonly log: Array<string> = [];
  readonly events: Array<string> = [];
  /** The moves whose outcome was recorded. */
  readonly settled: Array<string> = [];
  /** Happens between a listing by the server and its arrival. */
  afterListing: () => void = () => {};
  /** Whether a renamed mailbox is renamed with its children. */
  renamesChildren = true;
  /** Whether a renamed mailbox gets another UIDVALIDITY. */
  renumbersRenamed = false;
  /** Commands that the server refuses, as `rename A`. */
  readonly refused = new Map<string, "exists" | "name" | "not found" | "broken" | "down">();
  #validity = 0;

  constructor(...paths: ReadonlyArray<string>) {
    this.add("INBOX", 0, "inbox");
    for (const path of paths) this.add(path);
  }

  add(path: string, messages: number | null = 0, role?: FolderRole): void {
    this.boxes.set(path, { messages, uidValidity: ++this.#validity, ...(role === undefined ? {} : { role }) });
  }

  get paths(): ReadonlyArray<string> {
    return [...this.boxes.keys()];
  }

  get listed(): ReadonlyArray<ListedMailbox> {
    return [...this.boxes].map(([path, { messages, role, uidValidity }]) =>
      listedAt(path, {
        role: role ?? null,
        status: messages === null ? null : { total: messages, uidValidity },
      }),
    );
  }

  #asked(command: string) {
    this.log.push(command);
    switch (this.refused.get(command)) {
      case "exists":
        return new FolderExists();
      case "name":
        return new FolderNameInvalid({ reason: "refused" } as never);
      case "not found":
        return new FolderNotFound();
      case "broken":
        return new MailServerError({ reason: "protocol", operation: command, detail: "NO" });
      case "down":
        return new MailServerError({ reason: "unreachable", operation: command, detail: "gone" });
      case undefined:
        return undefined;
    }
  }

  #command(command: string, path: string | undefined, run: () => void) {
    return Effect.suspend((): Effect.Effect<void, never> => {
      const refusal =
        this.#asked(command) ?? (path !== undefined && !this.boxes.has(path) ? new FolderNotFound() : undefined);
      return refusal === undefined ? Effect.sync(run) : (Effect.fail(refusal) as never);
    });
  }

  readonly layer = Layer.suspend(() => {
    const rename = (from: string, to: string) => {
      for (const [path, box] of this.boxes) {
        if (path !== from && !(this.renamesChildren && path.startsWith(`${from}/`))) continue;
        this.boxes.delete(path);
        const uidValidity = this.renumbersRenamed ? ++this.#validity : box.uidValidity;
        this.boxes.set(to + path.slice(from.length), { ...box, uidValidity });
      }
    };
    const tree = Layer.mock(MailboxTree, {
      list: () =>
        Effect.sync(() => {
          const { listed } = this;
          this.afterListing();
          return listed;
        }),
    });
    const changes = Layer.mock(MailboxChanges, {
      create: (_, path, role) =>
        Effect.suspend(() =>
          this.boxes.has(path)
            ? Effect.fail(new FolderExists())
            : this.#command(`create ${path}`, undefined, () => this.add(path, 0, role)),
        ),
      rename: (_, from, to) => this.#command(`rename ${from}`, from, () => rename(from, to)),
      remove: (_, path) => this.#command(`remove ${path}`, path, () => this.boxes.delete(path)),
      nextBatch: (_, mailbox) =>
        Effect.map(
          this.#command(`batch ${mailbox}`, mailbox, () => {}),
          () => {
            const count = Math.min(2, this.boxes.get(mailbox)?.messages ?? 0);
            return count === 0 ? Option.none() : Option.some({ mailbox, lastUid: count, count, copiedFrom: 1 });
          },
        ),
      moveBatch: (_, { mailbox, count }, to) =>
        Effect.as(
          this.#command(`move ${mailbox} ${count} to ${to}`, mailbox, () => {
            for (const [path, change] of [
              [mailbox, -count],
              [to, count],
            ] as const) {
              const box = this.boxes.get(path)!;
              this.boxes.set(path, { ...box, messages: box.messages! + change });
            }
          }),
          Array.from({ length: count }, (_, n) => ({ uid: n + 1, to: null })),
        ),
    });
    const records = Layer.mock(FolderRecords, {
      load: () => Effect.sync(() => this.records),
      replace: (_, next, known) =>
        Effect.sync(() => {
          if (known !== undefined && !sameFolders(this.records, known)) return false;
          this.records = next;
          return true;
        }),
    });
    const removals = Layer.mock(FolderRemovals, {
      find: (_, folderId) =>
        Effect.sync(() => Option.fromUndefinedOr(this.removals.find((one) => one.folderId === folderId))),
      begin: (removal) => Effect.sync(() => (this.removals.push(removal), removal)),
      claimOne: (id) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(this.isLeased ? undefined : this.removals.find((one) => one.id === id)),
        ),
      save: (removal) =>
        Effect.sync(() => {
          this.removals = this.removals.map((one) => (one.id === removal.id ? removal : one));
          return true;
        }),
      release: () => Effect.void,
      forget: (id) => Effect.sync(() => void (this.removals = this.removals.filter((one) => one.id !== id))),
    });
    const read = new Map<string, unknown>();
    const doubles = Layer.mergeAll(
      tree,
      changes,
      records,
      removals,
      Layer.mock(EventPublisher, {
        publish: (events) => Effect.sync(() => (this.events.push(...events.map(({ type }) => type)), [])),
      }),
      Layer.mock(OwnMoves, {
        read: (_, path, uids) =>
          Effect.sync(() => {
            read.set(path, uids);
            return { uidValidity: 0, messages: [] };
          }),
        begin: (_, { path }, __, to) =>
          Effect.sync(() => void this.log.push(`begin ${path} ${JSON.stringify(read.get(path))} in ${to.key}`)),
        settle: (_, { folderId }, to, arrived) =>
          Effect.sync(() => void this.settled.push(`${folderId} ${arrived.map(({ uid }) => uid).join()} in ${to}`)),
      }),
      readableIds,
      numberedIds,
      noTransaction,
    );
    return Layer.provideMerge(Folders.layer, doubles);
  });
}
