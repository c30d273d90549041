import type { StoreUnavailable } from "@postern/core/shared";
import { MailServerError } from "@postern/core/mail";
import { SentFolder } from "@postern/core/send";
import { Clock, Effect, Layer, Stream } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { serverAccountOf } from "../session/server-account.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { searchNewest } from "../reading/search-newest.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { ensureSpecialFolder } from "../selecting/special-folder.ts";
import { SearchAnswer } from "../visiting/SearchAnswer.ts";
import { searchLine } from "../visiting/search-line.ts";

/** The time limit of an APPEND, which transfers a whole message. */
const APPEND_MILLIS = 5 * 60_000;

/** The number of messages whose headers are read if the server refuses to search header fields. */
const NEWEST = 50;

/** Stores sent mail in the folder that the server marks or names as Sent; creates Sent if it is missing (spec 6). */
export const layer = (settings: ImapSettings): Layer.Layer<SentFolder, never, ImapConnections> =>
  Layer.effect(
    SentFolder,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;
      /** The path of Sent that was last found on each connection. */
      const paths = new WeakMap<ImapFlow, string>();
      /** Accounts at a server that stores sent messages itself (`serverAccountOf`); their copies are always searched first. */
      const servedByServer = new Set<string>();

      const isThere = Effect.fnUntraced(function* (client: ImapFlow, path: string, messageId: string) {
        const line = searchLine(client, { header: { "message-id": messageId } });
        const answer = new SearchAnswer(false);
        const { mailbox, accepted } = yield* Effect.catchTags(
          selectMailbox(client, path, timeout, line === undefined ? [] : [line], (payload) =>
            answer.take(payload, Infinity),
          ),
          { FolderNotFound: gone, FolderNotSelectable: gone },
        );
        if (mailbox.exists === 0) return false;
        // A missing result does not mean that the message is absent.
        const found = accepted[0] === true ? answer.uids() : undefined;
        return (found ?? (yield* searchNewest(client, { messageId }, NEWEST, timeout))).length > 0;
      });

      /**
       * Stores a copy unless it exists already. The first copy of a connection is always searched for, to learn whether
       * the server stores copies itself.
       */
      const keep = Effect.fnUntraced(function* (client: ImapFlow, copy: Copy) {
        const { messageId } = copy;
        const known = paths.get(client);
        const path = known ?? (yield* ensureSpecialFolder(client, "sent", "Sent", timeout));
        paths.delete(client);
        const now = yield* Clock.currentTimeMillis;
        const isAbsent = now < copy.absentUntil && !copy.tried;
        if (known === undefined || !isAbsent || servedByServer.has(serverAccountOf(client))) {
          if (yield* isThere(client, path, messageId)) {
            // A copy that Postern may have stored does not tell whether the server stores copies, so the next copy is
            // searched too.
            if (!isAbsent) return;
            servedByServer.add(serverAccountOf(client));
            return void paths.set(client, path);
          }
        }
        const bytes = yield* copy.raw;
        copy.tried = true;
        const appended = yield* command(client, "append", APPEND_MILLIS, () =>
          client.append(path, bytes, ["\\Seen"], new Date(now)),
        );
        if (appended === false) return yield* refusalError("append");
        paths.set(client, path);
      });

      return SentFolder.of({
        keep: Effect.fn("SentFolder.keep")(function* (account, messageId, message, absentUntil) {
          const raw = Effect.map(Stream.runCollect(message), (chunks) => Buffer.concat([...chunks]));
          const copy: Copy = { messageId, raw, absentUntil, tried: false };
          yield* Effect.scoped(connections.hold(account, "interactive", "", (client) => keep(client, copy)));
        }),
      });
    }),
  );

interface Copy {
  readonly messageId: string;
  readonly raw: Effect.Effect<Buffer, StoreUnavailable>;
  readonly absentUntil: number;
  /** The connection was lost after an APPEND was sent, so the copy may exist. */
  tried: boolean;
}

const refusalError = (operation: string) => new MailServerError({ reason: "protocol", operation, detail: "refused" });

const gone = () => new MailServerError({ reason: "busy", operation: "select", detail: "the Sent folder is gone" });
