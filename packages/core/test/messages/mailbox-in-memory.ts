import { type Duration, Effect, Layer, Option, Stream } from "effect";
import { type Account, AccountDirectory } from "../../src/accounts/index.ts";
import { type Folder, FolderRecords, Folders, MailboxChanges } from "../../src/folders/index.ts";
import { FolderNotFound, type FolderRole, MailServerError, type MessageSummary } from "../../src/mail/index.ts";
import { type LocatedMessage, type LocatedMessages } from "../../src/messages/MessageLocator.ts";
import {
  applyFlagChange,
  type FoundUids,
  MailboxReader,
  type MailboxView,
  MessageChanges,
  MessageLocator,
  MessageNotFound,
  MessageReader,
  MessageSearch,
  PageCache,
  Previews,
} from "../../src/messages/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { FollowedMailboxes, LiveInboxes, MovedMessages, OwnMoves, type SeenMessage } from "../../src/watch/index.ts";
import { type FollowedMailbox, readLocations } from "../../src/watch/neighbours.ts";
import type { LeftLocation } from "../../src/watch/ports/MovedMessages.ts";
import { readableIds } from "../doubles.ts";
import { summaryWith } from "./summary.ts";

export const ME = AccountId("me@x.test");

/** Returns the public id of a message in a folder with UIDVALIDITY 1. */
export const idOf = (folder: string, uid: number, uidValidity = 1) => JSON.stringify([ME, folder, uidValidity, uid]);

/** A message in a folder, with the text of its header. */
export interface StoredMessage extends MessageSummary {
  readonly header?: string;
  /** The id by which the server recognises the message in other folders. */
  readonly emailId?: string;
}

/** A folder with the path of its id, and its messages, oldest first. */
export interface StoredFolder {
  readonly id: string;
  readonly role?: FolderRole;
  readonly selectable?: boolean;
  messages: ReadonlyArray<StoredMessage>;
}

export const stored = (uid: number, fields: Partial<StoredMessage> = {}): StoredMessage => ({
  ...summaryWith({ uid, arrivedAt: uid, ...fields }),
  ...fields,
});

/** An account's mailboxes, with a record of the requests to them. */
export class MailboxWorld {
  folders: Array<StoredFolder>;
  /** Message ids and folders that the service has not stored: a current listing finds them. */
  unheard = new Set<string>();
  uidValidity = 1;
  /** The locations that messages left. */
  left: Array<LeftLocation> = [];
  /** The follower's state of the folders; null if the account does not follow all folders. */
  followed: Map<string, FollowedMailbox> | null = null;
  /** The folder that the account may not read. */
  forbidden: string | null = null;
  /** The messages that the follower recorded above its cursors, as folder and UID. */
  seen: ReadonlyArray<string> = [];
  account: Option.Option<Account> = Option.none();
  log: Array<string> = [];
  /** How many folders were looked up in a current listing. */
  resolved = 0;
  /** Whether the server reports the new UIDs of moved messages. */
  reportsUids = true;
  /** Previews by message id; null: the message has no text. */
  previews: ReadonlyMap<string, string | null> = new Map();

  constructor(folders: ReadonlyArray<StoredFolder>) {
    this.folders = [...folders];
  }

  folder(id: string): StoredFolder | undefined {
    return this.folders.find((one) => one.id === id);
  }

  get listed(): ReadonlyArray<Folder> {
    return this.folders.map(({ id, role = null, selectable = true, messages }) => ({
      id,
      key: id,
      name: id,
      path: id,
      role,
      parentId: null,
      delimiter: "/",
      selectable,
      unreadCount: messages.filter(({ unread }) => unread).length,
      totalCount: messages.length,
    }));
  }

  locate(ids: ReadonlyArray<string>, isCurrent: boolean): LocatedMessages {
    const found = new Map<string, LocatedMessage>();
    for (const id of ids) {
      if (!id.startsWith("[")) continue;
      const [, folderId, uidValidity, uid] = JSON.parse(id);
      if (this.unheard.has(id) && !isCurrent) continue;
      const { now: ref, id: named } = readLocations(this.left)({ folderId, uidValidity, uid });
      const shown = idOf(named.folderId, named.uid, named.uidValidity);
      found.set(id, {
        id: shown,
        folder: { id: ref.folderId as string, path: ref.folderId },
        ref,
        place: { path: ref.folderId, uidValidity: ref.uidValidity, uid: ref.uid },
      });
    }
    return found;
  }

  message(path: string, uid: number): StoredMessage | undefined {
    return this.folder(path)?.messages.find((one) => one.uid === uid);
  }

  present(path: string, uids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<number>, MessageNotFound> {
    const found = this.folder(path);
    return found === undefined
      ? Effect.fail(new MessageNotFound())
      : Effect.succeed(uids.filter((uid) => this.message(path, uid) !== undefined));
  }

  /** How long a search of one folder takes. */
  searchTime: Duration.Input = 0;

  readonly layer = Layer.suspend(() => {
    const note = (text: string) => void this.log.push(text);
    const edit = (
      path: string,
      uids: ReadonlyArray<number>,
      by: (one: StoredMessage) => ReadonlyArray<StoredMessage>,
    ) => {
      const folder = this.folder(path)!;
      folder.messages = folder.messages.flatMap((one) => (uids.includes(one.uid) ? by(one) : [one]));
    };
    const locator = Layer.mock(MessageLocator, {
      locateStored: (_, ids) => Effect.sync(() => this.locate(ids, false)),
      locateCurrent: (_, ids) => Effect.sync(() => (note("list"), this.locate(ids, true))),
      withMessage: (_, id, use) =>
        Effect.suspend(() => {
          const found = this.locate([id], true).get(id);
          const isThere = found !== undefined && this.message(found.place.path, found.place.uid) !== undefined;
          return isThere ? use(found) : Effect.fail(new MessageNotFound());
        }),
    });
    const search = Layer.mock(MessageSearch, {
      find: (_, paths, { subject, unread, threadId, related }) =>
        Stream.mapEffect(Stream.fromIterable(paths), (path): Effect.Effect<readonly [string, FoundUids | null]> => {
          note(`search ${path}${related === undefined ? "" : ` ${related.join()}`}`);
          const folder = this.folder(path);
          if (folder === undefined) return Effect.succeed([path, null]);
          const found = folder.messages.filter(
            (one) =>
              (subject === undefined || one.subject.includes(subject)) &&
              (unread === undefined || one.unread === unread) &&
              (threadId === undefined || one.threadId === threadId) &&
              (related === undefined || related.some((name) => (one.header ?? "").includes(name))),
          );
          const finds = {
            uidValidity: this.uidValidity,
            uids: found.map(({ uid }) => uid),
            unread: found.filter((one) => one.unread).map(({ uid }) => uid),
          };
          return Effect.delay(Effect.succeed([path, finds] as const), this.searchTime);
        }),
      emailIds: (_, asked) =>
        Effect.sync(() =>
          asked.map(({ path, uids }) => {
            const ids = uids.map((uid) => [uid, this.message(path, uid)?.emailId] as const);
            return new Map(ids.flatMap(([uid, id]) => (id === undefined ? [] : [[uid, id]])));
          }),
        ),
      arrivals: (_, asked) =>
        Effect.sync(() =>
          asked.map(({ path, uids }) => new Map(uids.map((uid) => [uid, this.message(path, uid)!.arrivedAt]))),
        ),
      summaries: (_, asked) =>
        Effect.sync(() =>
          asked.map(({ path, uids }) => (this.folder(path)?.messages ?? []).filter(({ uid }) => uids.includes(uid))),
        ),
    });
    const changes = Layer.mock(MessageChanges, {
      setFlags: (_, { path }, uids, change) =>
        Effect.map(this.present(path, uids), (present) => {
          note(`flag ${path} ${uids.join()}`);
          edit(path, present, (one) => [{ ...one, ...applyFlagChange(one, change) }]);
          return new Set(present);
        }),
      flag: (_, { path, uid }, change) =>
        Effect.sync(() => {
          note(`flag ${path} ${uid}`);
          edit(path, [uid], (one) => [{ ...one, ...applyFlagChange(one, change) }]);
          return this.message(path, uid)!;
        }),
      move: (_, { path }, uids, to) =>
        Effect.map(this.present(path, uids), (present) => {
          note(`move ${path} ${uids.join()} to ${to}`);
          const target = this.folder(to)!;
          return present.map((uid) => {
            const next = 100 + target.messages.length;
            target.messages = [...target.messages, { ...this.message(path, uid)!, uid: next }];
            edit(path, [uid], () => []);
            return { uid, to: this.reportsUids ? { uidValidity: 1, uid: next } : null };
          });
        }),
      destroy: (_, { path }, uids) =>
        Effect.map(this.present(path, uids), (present) => {
          note(`destroy ${path} ${uids.join()}`);
          edit(path, present, () => []);
          return new Set(present);
        }),
    });
    return Layer.mergeAll(
      readableIds,
      locator,
      search,
      changes,
      Layer.mock(Folders, {
        list: () => Effect.sync(() => this.listed),
        sync: () =>
          Effect.sync(() => ({ root: { prefix: "", delimiter: "/" }, listed: [], records: [], folders: this.listed })),
        resolve: (_, wanted) =>
          Effect.suspend(() => {
            this.resolved++;
            const found = this.listed.find(({ id }) => id === wanted);
            return found === undefined ? Effect.fail(new FolderNotFound()) : Effect.succeed(found);
          }),
        findStored: (_, wanted) =>
          Effect.sync(() =>
            this.unheard.has(wanted) || this.folder(wanted)?.selectable === false
              ? Option.none()
              : Option.map(Option.fromUndefinedOr(this.folder(wanted)), ({ id }) => ({
                  id,
                  key: id,
                  path: id,
                  uidValidity: 1,
                })),
          ),
      }),
      Layer.mock(MailboxChanges, {
        create: (_, path) => Effect.sync(() => void this.folders.push({ id: path, role: "trash", messages: [] })),
      }),
      Layer.mock(MessageReader, {
        open: (_, { path, uid }) =>
          Effect.suspend(() => {
            const found = this.message(path, uid);
            return found === undefined
              ? Effect.fail(new MessageNotFound())
              : Effect.succeed({
                  summary: found,
                  structure: null,
                  header: Uint8Array.from(found.header ?? "", (character) => character.charCodeAt(0)),
                  readBeginnings: () => Effect.die("not asked for"),
                });
          }),
      }),
      Layer.mock(MailboxReader, {
        view: (_, path, newest) =>
          Effect.suspend((): Effect.Effect<MailboxView, FolderNotFound | MailServerError> => {
            note(`view ${path}${newest === undefined ? "" : ` ${newest.count}`}`);
            const messages = this.folder(path)?.messages;
            if (messages === undefined) return new FolderNotFound();
            if (path === this.forbidden) {
              return new MailServerError({ reason: "not_permitted", operation: "select", detail: "NO [NOPERM]" });
            }
            return Effect.succeed({
              uidValidity: this.uidValidity,
              total: messages.length,
              unread: messages.filter(({ unread }) => unread).length,
              state: null,
              messages: (first: number, last: number) => Effect.succeed(messages.slice(first - 1, last)),
              flags: () => Effect.die("not asked for"),
              byUid: () => Effect.die("not asked for"),
              positionBelow: (uid: number) => Effect.succeed(messages.filter((one) => one.uid < uid).length),
            });
          }),
      }),
      Layer.mock(MovedMessages, {
        find: () => Effect.sync(() => ({ left: this.left, isMoving: false })),
        removeOld: (before, limit) => Effect.sync(() => (note(`forget moves ${before} ${limit}`), false)),
        trim: (most, limit) => Effect.sync(() => (note(`trim ${most} ${limit}`), false)),
      }),
      Layer.mock(OwnMoves, {
        read: (_, __, uids) =>
          Effect.sync(() => {
            const messages = (uids as ReadonlyArray<number>).map((uid) => ({
              uid,
              emailId: null,
              messageId: null,
              size: 1,
              arrivedAt: uid,
            }));
            return { uidValidity: this.uidValidity, messages };
          }),
        begin: (_, { path }, { messages }, { key }) =>
          Effect.sync(() => note(`begin ${path} ${JSON.stringify(messages.map(({ uid }) => uid))} in ${key}`)),
        settle: (_, { folderId, uidValidity }, toFolderId, arrived) =>
          Effect.sync(() => {
            for (const { uid, to } of arrived) {
              if (to === null) continue;
              const from = { folderId: folderId!, uidValidity, uid };
              const { id } = readLocations(this.left)(from);
              this.left.push({ from, now: { folderId: toFolderId, ...to }, id });
            }
          }),
      }),
      Layer.mock(FollowedMailboxes, {
        find: () => Effect.succeedNone,
        listFollowed: () => Effect.sync(() => Option.fromNullishOr(this.followed)),
        findSeen: (_, folderId, uids) =>
          Effect.sync(() => {
            const seen = uids.filter((uid) => this.seen.includes(`${folderId} ${uid}`));
            return new Map(seen.map((uid) => [uid, { uid } as SeenMessage]));
          }),
      }),
      Layer.mock(AccountDirectory, { find: () => Effect.sync(() => this.account) }),
      Layer.mock(FolderRecords, { load: () => Effect.succeed([]) }),
      Layer.succeed(LiveInboxes, {
        startReading: () => () => {},
        markChanged: () => note("changed"),
        quietTime: () => undefined,
      }),
      Layer.mock(Previews, {
        of: (_, entries) =>
          Effect.sync(() => {
            note(`preview ${entries.map(({ id, path }) => `${path} ${JSON.parse(id)[3]}`).join()}`);
            return new Map([...this.previews].filter(([id]) => entries.some((one) => one.id === id)));
          }),
      }),
      Layer.mock(PageCache, {
        page: ({ maxAge }, read) => Effect.map(read(undefined), (found) => found && { page: found.page, age: maxAge }),
      }),
    );
  });
}
