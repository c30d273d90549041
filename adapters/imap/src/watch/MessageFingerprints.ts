import { MessageFingerprints } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { fetchSeen } from "../following/seen-messages.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Returns fingerprints of messages, equal to those of the described arrivals (spec 7). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageFingerprints, never, ImapConnections> =>
  Layer.effect(
    MessageFingerprints,
    Effect.map(ImapConnections, (connections) => {
      const { command: timeout } = settings.timeouts;
      return MessageFingerprints.of({
        of: Effect.fn("MessageFingerprints.of")((account, path, uids) =>
          Effect.scoped(
            connections.hold(
              account,
              "interactive",
              path,
              Effect.fnUntraced(function* (client) {
                const { uidValidity } = yield* openMailbox(client, path, timeout);
                const range = "upTo" in uids ? `1:${uids.upTo}` : "from" in uids ? `${uids.from}:*` : uidSet(uids);
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
