import { MailServerError, SentFolder, type StoreUnavailable } from "@postern/core";
import { Clock, Effect, Layer, Stream } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { ImapConnections } from "./ImapConnections.ts";
import type { ImapSettings } from "./ImapOptions.ts";
import { prefixOf } from "./imapflow-internals.ts";
import { listedMailboxes } from "./listed-mailboxes.ts";
import { openMailbox } from "./open-mailbox.ts";

/** A whole message goes in one command. */
const APPEND_MILLIS = 5 * 60_000;

/** Puts sent mail into the folder the server marks or names as Sent, made where there is none (decisions 6). */
export const sentFolder = (settings: ImapSettings): Layer.Layer<SentFolder, never, ImapConnections> =>
  Layer.effect(
    SentFolder,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;
      /** Where Sent was when a connection last looked. */
      const paths = new WeakMap<ImapFlow, string>();

      const pathOf = Effect.fnUntraced(function* (client: ImapFlow) {
        // Without RETURN (SPECIAL-USE) nothing is known to be marked.
        const entries = yield* command(client, "list", timeout, () => client.list());
        const listed = listedMailboxes(entries, new Map(), (path) => prefixOf(client, path));
        const sent = listed.find(({ role }) => role === "sent");
        if (sent !== undefined) return sent.path;
        const create = (path: string) => command(client, "create", timeout, () => client.mailboxCreate(path));
        const delimiter = listed[0]?.delimiter ?? "/";
        // Where all names have to begin with INBOX the first is refused.
        const made = yield* Effect.catch(create("Sent"), () => create(`INBOX${delimiter}Sent`));
        return made.path;
      });

      const isThere = Effect.fnUntraced(function* (client: ImapFlow, path: string, messageId: string) {
        yield* Effect.catchTags(openMailbox(client, path, timeout), {
          FolderNotFound: gone,
          FolderNotSelectable: gone,
        });
        const found = yield* command(client, "search", timeout, () =>
          client.search({ header: { "message-id": messageId } }, { uid: true }),
        );
        // No answer is none: the message may well be there.
        if (!Array.isArray(found)) return yield* refused("search");
        return found.length > 0;
      });

      const keep = Effect.fnUntraced(function* (
        client: ImapFlow,
        messageId: string,
        raw: Effect.Effect<Buffer, StoreUnavailable>,
      ) {
        const path = paths.get(client) ?? (yield* pathOf(client));
        paths.delete(client);
        if (yield* isThere(client, path, messageId)) return void paths.set(client, path);
        const bytes = yield* raw;
        const now = yield* Clock.currentTimeMillis;
        const appended = yield* command(client, "append", APPEND_MILLIS, () =>
          client.append(path, bytes, ["\\Seen"], new Date(now)),
        );
        if (appended === false) return yield* refused("append");
        paths.set(client, path);
      });

      return SentFolder.of({
        keep: Effect.fn("SentFolder.keep")(function* (account, messageId, message) {
          const raw = Effect.map(Stream.runCollect(message), (chunks) => Buffer.concat([...chunks]));
          yield* Effect.scoped(connections.hold(account, "interactive", "", (client) => keep(client, messageId, raw)));
        }),
      });
    }),
  );

const refused = (operation: string) => new MailServerError({ reason: "protocol", operation, detail: "refused" });

const gone = () => new MailServerError({ reason: "busy", operation: "select", detail: "the Sent folder is gone" });
