import { MessageFingerprints } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { afterRemoval } from "../rows/after-removal.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { isRemoval } from "../rows/is-removal.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { fetchSeen, seenLine, seenMessage } from "../following/seen-messages.ts";
import { pipeline } from "../wire/in-one-write.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Returns fingerprints of messages, equal to those of the described arrivals (spec 7). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageFingerprints, never, ImapConnections> =>
  Layer.effect(
    MessageFingerprints,
    Effect.map(ImapConnections, (connections) => {
      const { command: timeout } = settings.timeouts;

      /**
       * Opens a mailbox and fetches some of its messages in one write; returns undefined if one of these messages is
       * missing or unreadable. Dovecot fetches a removed message of an open INBOX, and reports its removal afterwards.
       */
      const openWithSeen = Effect.fnUntraced(function* (client: ImapFlow, path: string, uids: ReadonlyArray<number>) {
        let rows: Array<FetchMessageObject> = [];
        const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
          const row = isFetchRow(payload) ? readFetchRow(payload, literals) : undefined;
          if (row !== undefined) rows.push(row);
          else if (isRemoval(payload)) rows = rows.flatMap((one) => afterRemoval(one, payload) ?? []);
          return row !== undefined;
        };
        const line = seenLine(client, uidSet(uids));
        const isOpen = path === "INBOX" && client.mailbox !== false && client.mailbox.path === path;
        if (isOpen) yield* command(client, "fetch", timeout, () => pipeline(client, [line, "NOOP"], take));
        const open = client.mailbox;
        const mailbox =
          isOpen && open !== false ? open : (yield* selectMailbox(client, path, timeout, [line], take)).mailbox;
        const seen = new Map(rows.flatMap((row) => seenMessage(row) ?? []).map((message) => [message.uid, message]));
        const messages = uids.flatMap((uid) => seen.get(uid) ?? []);
        return messages.length < uids.length ? undefined : { uidValidity: Number(mailbox.uidValidity), messages };
      });

      return MessageFingerprints.of({
        of: Effect.fn("MessageFingerprints.of")((account, path, uids) =>
          Effect.scoped(
            connections.hold(
              account,
              "interactive",
              path,
              Effect.fnUntraced(function* (client) {
                const few =
                  "upTo" in uids || "from" in uids ? [] : [...new Set(uids)].sort((one, other) => one - other);
                const quick = few.length > 0 ? yield* openWithSeen(client, path, few) : undefined;
                if (quick !== undefined) return quick;
                const { uidValidity } = yield* openMailbox(client, path, timeout);
                const range = "upTo" in uids ? `1:${uids.upTo}` : "from" in uids ? `${uids.from}:*` : uidSet(few);
                const found = range === "" ? [] : yield* fetchSeen(client, range, timeout);
                // `n:*` matches the last message if its UID is below n.
                const messages = "from" in uids ? found.filter(({ uid }) => uid >= uids.from) : found;
                return { uidValidity: Number(uidValidity), messages };
              }),
            ),
          ),
        ),
      });
    }),
  );
