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
                yield* openMailbox(client, path, timeout);
                if (!("upTo" in uids) && uids.length === 0) return [];
                return yield* fetchSeen(client, "upTo" in uids ? `1:${uids.upTo}` : uidSet(uids), timeout);
              }),
            ),
          ),
        ),
      });
    }),
  );
