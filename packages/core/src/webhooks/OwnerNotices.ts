import { Context, Effect, Layer } from "effect";
import { OutgoingJournal } from "../send/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import type { DisabledNotice } from "./Endpoint.ts";
import { WebhookSettings } from "./WebhookSettings.ts";
import { writeNotice } from "./write-notice.ts";

/** Tells owners by e-mail that an endpoint was disabled, through the journal of outgoing messages (spec 7.5). */
export class OwnerNotices extends Context.Service<
  OwnerNotices,
  {
    /** Journals the e-mail inside the transaction that disables the endpoint; once per endpoint and generation. */
    readonly endpointDisabled: (notice: DisabledNotice) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/OwnerNotices") {
  static readonly layer = Layer.effect(
    OwnerNotices,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const settings = yield* WebhookSettings;

      return OwnerNotices.of({
        endpointDisabled: Effect.fn("OwnerNotices.endpointDisabled")(function* (notice: DisabledNotice) {
          const { message, contents } = writeNotice(notice, settings);
          yield* journal.insert(message, contents, null);
        }),
      });
    }),
  );
}
