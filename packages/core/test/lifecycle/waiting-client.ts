import { Deferred, Effect, Option, Result } from "effect";
import { eventId, type LedgerEntry, writeEvent } from "../../src/events/index.ts";
import { type WaitPorts, type WaitRequest, waitForMessage } from "../../src/lifecycle/wait-for-message.ts";
import { FolderNotFound } from "../../src/mail/index.ts";
import { CursorStale, type InboxPage, MessageNotFound, type ReadMessage } from "../../src/messages/index.ts";
import type { InboxRequest } from "../../src/messages/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import { summaryWith } from "../messages/summary.ts";

export const ME = AccountId("me@postern.test");

/** The fields of an arriving message. */
export interface Arrival {
  readonly subject?: string;
  readonly from?: { readonly name: string; readonly address: string };
  readonly to?: ReadonlyArray<{ readonly name: string; readonly address: string }>;
  readonly text?: string;
  readonly html?: string;
}

const idOf = (folder: string, uidValidity: number, uid: number) => `${folder}/${uidValidity}/${uid}`;

/** A mailbox in which a client waits for messages: INBOX, and a folder "f_other" with the name "Other". */
export const mailbox = () => {
  const folders = new Map(["inbox", "f_other"].map((id) => [id, { id, uidValidity: 1, uids: [] as Array<number> }]));
  const known = new Map<string, Arrival>();
  const entries: Array<LedgerEntry> = [];
  const woken: Array<Deferred.Deferred<void>> = [];
  const state = {
    /** The folders that were listed, and how often the watch of the account was started. */
    listed: [] as Array<string>,
    begun: 0,
    /** Runs while the watch starts for the first time. */
    duringBegin: () => {},
    isStale: false,
  };

  /** Puts a message into a folder; returns its id. */
  const put = (folder: "inbox" | "f_other", said: Arrival = {}) => {
    const { uids, uidValidity } = folders.get(folder)!;
    const uid = (uids.at(-1) ?? 0) + 1;
    uids.push(uid);
    const id = idOf(folder, uidValidity, uid);
    known.set(id, said);
    return id;
  };
  /** Appends the event of a message that arrived in INBOX. */
  const announce = (id: string) => {
    const event = writeEvent(eventId(0, id), { id: "acc_1", email: ME }, "email.received", 0, { id } as never);
    entries.push({ position: entries.length + 1, event: { ...event, account: ME } });
    return Effect.forEach(woken.splice(0), (one) => Deferred.succeed(one, undefined), { discard: true });
  };
  const arrive = (said: Arrival = {}) => {
    const id = put("inbox", said);
    return Effect.as(announce(id), id);
  };
  const remove = (id: string) => {
    const [folder, , uid] = id.split("/");
    const { uids } = folders.get(folder!)!;
    uids.splice(uids.indexOf(Number(uid)), 1);
    known.delete(id);
  };

  const list = (_: AccountId, { folder, folderId, limit = 20, cursor }: InboxRequest) =>
    Effect.gen(function* () {
      const found = folders.get(folderId ?? (folder === "Other" ? "f_other" : folder!));
      if (found === undefined) return yield* new FolderNotFound();
      state.listed.push(found.id);
      if (state.isStale) return yield* new CursorStale();
      const { id, uidValidity, uids } = found;
      const below = uids.filter((uid) => uid < Number(cursor ?? Infinity)).toReversed();
      const emails = below
        .slice(0, limit)
        .map((uid) => ({ id: idOf(id, uidValidity, uid), message: summaryWith({ uid }) }));
      const nextCursor = below.length > limit ? String(emails.at(-1)!.message.uid) : null;
      const page: InboxPage = {
        folder: { id, key: id, path: id, uidValidity },
        page: 1,
        limit,
        total: uids.length,
        unread: 0,
        pages: 1,
        nextCursor,
        emails,
      };
      return { page, age: 0 };
    });
  const read = (_: AccountId, id: string) =>
    Effect.suspend(() => {
      const said = known.get(id);
      if (said === undefined) return Effect.fail(new MessageNotFound());
      const { subject = "", from = null, to = [], text = "", html = null } = said;
      const parsed = Result.succeed({ headers: [], text, html, blocked: 0 });
      return Effect.succeed({ id, summary: summaryWith({ subject, from, to }), parsed } as unknown as ReadMessage);
    });

  const ports = {
    ledger: {
      numberEvents: Effect.sync(() => ({ epoch: "e1", last: entries.length, forgotten: 0 })),
      listNumbered: (
        after: number,
        { accounts, types }: Parameters<WaitPorts["ledger"]["listNumbered"]>[1],
        limit: number,
      ) =>
        Effect.sync(() =>
          entries
            .filter(({ position }) => position > after)
            .filter(({ event }) => accounts?.includes(event.account) ?? true)
            .filter(({ event }) => types?.includes(event.type) ?? true)
            .slice(0, limit),
        ),
      watchAppends: () =>
        Effect.succeed(
          Effect.suspend(() => {
            const one = Deferred.makeUnsafe<void>();
            woken.push(one);
            return Deferred.await(one);
          }),
        ),
    },
    watching: {
      begin: () =>
        Effect.sync(() => {
          if (state.begun++ === 0) state.duringBegin();
        }),
    },
    inbox: { list },
    messages: { read },
    scopes: { of: Effect.succeed },
    ids: {
      messageRef: (_: AccountId, id: string, folderIds: ReadonlyArray<string>) => {
        const [folderId, uidValidity, uid] = id.split("/");
        const ref = { folderId: folderId!, uidValidity: Number(uidValidity), uid: Number(uid) };
        return folderIds.includes(ref.folderId) ? Option.some(ref) : Option.none();
      },
    },
  } as unknown as WaitPorts;

  /** Waits for a message; returns only its id. */
  const wait = <E = never>(
    request: WaitRequest = {},
    {
      isAllowed = Effect.void,
      ended = Effect.never,
    }: { isAllowed?: Effect.Effect<void, E>; ended?: Effect.Effect<void> } = {},
  ) =>
    Effect.map(
      Effect.scoped(waitForMessage(ports, ME, request, isAllowed, ended)),
      ({ message, next, codes, links }) => ({ id: message?.id ?? null, next, codes, links }),
    );
  return { folders, state, put, announce, arrive, remove, wait };
};
