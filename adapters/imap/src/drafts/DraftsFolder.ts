import { type DraftMark, DraftsFolder, readMark } from "@postern/core/drafts";
import { MailServerError } from "@postern/core/mail";
import { DRAFT_HEADER } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Clock, Effect, Layer, Stream } from "effect";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { messageSummary, SUMMARY } from "../reading/message-summary.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { ensureSpecialFolder, specialFolder } from "../selecting/special-folder.ts";
import { SearchAnswer } from "../visiting/SearchAnswer.ts";
import { searchLine } from "../visiting/search-line.ts";
import type { Take } from "../wire/in-one-write.ts";
import { uidSet } from "../wire/uid-set.ts";

/** The time limit of an APPEND, which transfers a whole message. */
const APPEND_MILLIS = 5 * 60_000;

/** The number of messages that are read on a server that refuses SEARCH HEADER (Yahoo). */
const NEWEST = 500;

/** The data items that identify a copy: its UID and its mark. */
const MARK: FetchQueryObject = { uid: true, headers: [DRAFT_HEADER.toLowerCase()] };

/** Finds, reads and stores drafts in the folder that the server marks or names as Drafts (spec 12.1). */
export const layer = (settings: ImapSettings): Layer.Layer<DraftsFolder, never, ImapConnections> =>
  Layer.effect(
    DraftsFolder,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;
      /** The path of Drafts that was last found on each connection. */
      const paths = new WeakMap<ImapFlow, string>();

      const pathOf = Effect.fnUntraced(function* (client: ImapFlow) {
        const path = paths.get(client) ?? (yield* specialFolder(client, "drafts", timeout)).path;
        if (path !== undefined) paths.set(client, path);
        return path;
      });

      /**
       * Opens the folder and sends further commands in the same write. If the remembered path is wrong, looks up the
       * path once more.
       */
      const open = Effect.fnUntraced(function* (client: ImapFlow, behind: ReadonlyArray<string> = [], take?: Take) {
        const path = yield* pathOf(client);
        if (path === undefined) return null;
        const select = (name: string) => selectMailbox(client, name, timeout, behind, take);
        const opened = yield* Effect.catchTag(select(path), ["FolderNotFound", "FolderNotSelectable"], () => {
          paths.delete(client);
          return Effect.succeed(null);
        });
        if (opened !== null) return opened;
        const now = yield* pathOf(client);
        if (now === undefined) return null;
        return yield* Effect.catchTag(select(now), ["FolderNotFound", "FolderNotSelectable"], gone);
      });

      const fetch = (client: ImapFlow, range: string, query: FetchQueryObject, options: { readonly uid: boolean }) =>
        Effect.flatMap(
          command(client, "fetch", timeout, () => client.fetchAll(range, query, options)),
          (rows) => (Array.isArray(rows) ? Effect.succeed(rows) : refusalError("fetch")),
        );

      const held = <A>(account: AccountId, use: (client: ImapFlow) => Effect.Effect<A, MailServerError>) =>
        Effect.scoped(connections.hold(account, "interactive", "", use));

      const list = Effect.fnUntraced(function* (client: ImapFlow, limit: number) {
        const opened = yield* open(client);
        if (opened === null) return null;
        const { mailbox } = opened;
        const { path, exists } = mailbox;
        const from = Math.max(1, exists - limit + 1);
        const rows =
          exists === 0 ? [] : yield* fetch(client, `${from}:${exists}`, { ...SUMMARY, ...MARK }, { uid: false });
        const copies = rows.flatMap((row) => {
          const summary = messageSummary(row);
          return summary === undefined ? [] : [{ uid: summary.uid, mark: markOf(row), summary }];
        });
        return {
          path,
          uidValidity: Number(mailbox.uidValidity),
          copies: copies.toSorted((one, other) => one.uid - other.uid),
          isPartial: from > 1,
        };
      });

      const find = Effect.fnUntraced(function* (client: ImapFlow, draftId: string, uid: number | null) {
        const answer = new SearchAnswer(false);
        const known: Array<FetchMessageObject> = [];
        const opened = yield* open(
          client,
          [
            searchLine(client, { header: { [DRAFT_HEADER]: draftId } })!,
            ...(uid === null
              ? []
              : [`UID FETCH ${uid} (UID BODY.PEEK[HEADER.FIELDS (${DRAFT_HEADER.toUpperCase()})])`]),
          ],
          (payload, literals) => {
            if (!isFetchRow(payload)) return answer.take(payload, Infinity);
            const row = readFetchRow(payload, literals);
            if (row?.uid === uid && row.headers !== undefined) known.push(row);
            return true;
          },
        );
        if (opened === null) return null;
        const { mailbox, accepted } = opened;
        const { path, exists } = mailbox;
        const found = accepted[0] === true ? answer.uids() : undefined;
        const others = found?.filter((one) => !known.some((row) => row.uid === one));
        const isNewest = others === undefined || (uid !== null && accepted[1] !== true);
        const rows =
          exists === 0
            ? []
            : isNewest
              ? yield* fetch(client, `${Math.max(1, exists - NEWEST + 1)}:*`, MARK, { uid: false })
              : [...known, ...(others.length === 0 ? [] : yield* fetch(client, uidSet(others), MARK, { uid: true }))];
        const copies = rows
          .flatMap((row) => (row.uid ? [{ uid: row.uid, mark: markOf(row) }] : []))
          // The search matches longer ids too.
          .filter((copy) => copy.uid === uid || copy.mark?.draftId === draftId)
          .toSorted((one, other) => one.uid - other.uid);
        return { path, uidValidity: Number(mailbox.uidValidity), copies, isPartial: false };
      });

      /**
       * Finds the message that an APPEND stored, if the answer named no UID or was lost. The first match is this
       * message, because copies by other clients come later.
       */
      const stored = Effect.fnUntraced(function* (client: ImapFlow, { draftId, token }: DraftMark) {
        const found = yield* find(client, draftId, null);
        const copy = found?.copies.find(({ mark }) => mark?.token === token);
        if (found === null || copy === undefined) return undefined;
        return { path: found.path, uidValidity: found.uidValidity, uid: copy.uid };
      });

      return DraftsFolder.of({
        list: Effect.fn("DraftsFolder.list")((account, limit) => held(account, (client) => list(client, limit))),
        find: Effect.fn("DraftsFolder.find")((account, draftId, uid) =>
          held(account, (client) => find(client, draftId, uid)),
        ),
        append: Effect.fn("DraftsFolder.append")(function* (account, mark, message) {
          const bytes = Buffer.concat([...(yield* Stream.runCollect(message))]);
          let isRepeated = false;
          return yield* held(
            account,
            Effect.fnUntraced(function* (client) {
              const earlier = isRepeated ? yield* stored(client, mark) : undefined;
              if (earlier !== undefined) return earlier;
              const known = yield* pathOf(client);
              const path = known ?? (yield* ensureSpecialFolder(client, "drafts", "Drafts", timeout));
              isRepeated = true;
              const now = yield* Clock.currentTimeMillis;
              const appended = yield* Effect.onError(
                command(client, "append", APPEND_MILLIS, () =>
                  client.append(path, bytes, ["\\Draft", "\\Seen"], new Date(now)),
                ),
                // The folder may have been renamed or deleted.
                () => Effect.sync(() => paths.delete(client)),
              );
              if (appended === false || appended === undefined) return yield* refusalError("append");
              const { uid, uidValidity } = appended;
              if (uid !== undefined && uidValidity !== undefined)
                return { path, uidValidity: Number(uidValidity), uid };
              return (yield* stored(client, mark)) ?? (yield* refusalError("append"));
            }),
          );
        }),
      });
    }),
  );

const markOf = ({ headers }: FetchMessageObject): DraftMark | null => {
  const field = /^[^:\r\n]+:((?:[^\r\n]|\r?\n[ \t])*)/.exec(headers ? headers.toString("latin1") : "");
  return field === null ? null : readMark(field[1]!);
};

const refusalError = (operation: string) => new MailServerError({ reason: "protocol", operation, detail: "refused" });

const gone = () => new MailServerError({ reason: "busy", operation: "select", detail: "the Drafts folder is gone" });
