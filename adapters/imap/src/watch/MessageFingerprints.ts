import { MessageFingerprints } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { arrivedMessages } from "../arrived-messages.ts";
import { ImapConnections } from "../ImapConnections.ts";
import type { ImapSettings } from "../ImapOptions.ts";
import { searchUids } from "../inbox-look.ts";
import { openMailbox } from "../open-mailbox.ts";

/** What tells messages from others, by the same FETCH that describes arrivals: it must say the same (spec 7). */
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
                const wanted = "upTo" in uids ? yield* searchUids(client, `1:${uids.upTo}`, timeout) : uids;
                return yield* arrivedMessages(client, wanted, timeout);
              }),
            ),
          ),
        ),
      });
    }),
  );
