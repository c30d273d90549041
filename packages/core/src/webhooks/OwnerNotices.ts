import { Context, Effect, Layer, Metric } from "effect";
import { OutgoingJournal, SendSettings } from "../send/index.ts";
import { AccountId, type StoreUnavailable } from "../shared/index.ts";
import type { DisabledNotice } from "./Endpoint.ts";
import { WebhookSettings } from "./WebhookSettings.ts";
import { writeNotice } from "./write-notice.ts";

/** Disabled endpoints of applications whose owner could not be told. */
const unnotified = Metric.counter("webhook_notices_unsent_total", {
  description: "Endpoints of applications that were disabled without a notice to an address",
  incremental: true,
});

/** Tells owners by e-mail that an endpoint was disabled, through the journal of outgoing messages (spec 7.5). */
export class OwnerNotices extends Context.Service<
  OwnerNotices,
  {
    /**
     * Journals the e-mail inside the transaction that disables the endpoint; once per endpoint and generation. Logs an
     * error where an application has no address for notices, or the operator no server that sends them.
     */
    readonly endpointDisabled: (notice: DisabledNotice) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/OwnerNotices") {
  static readonly layer = Layer.effect(
    OwnerNotices,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const settings = yield* WebhookSettings;
      const { noticesFrom } = yield* SendSettings;
      yield* Metric.update(unnotified, 0);

      return OwnerNotices.of({
        endpointDisabled: Effect.fn("OwnerNotices.endpointDisabled")(function* (notice: DisabledNotice) {
          const { owner, endpointId } = notice;
          // An application has no mailbox to send from, so that its notices need the operator's server.
          const address = owner._tag === "Account" ? owner.account : noticesFrom === null ? null : owner.notify;
          if (address === null) {
            yield* Metric.update(unnotified, 1);
            return yield* Effect.logError(
              "a webhook endpoint of an application was disabled, and there is no address or NOTIFY_SMTP_URL for a notice",
              { endpoint: endpointId, ...(owner._tag === "Application" ? { application: owner.application } : {}) },
            );
          }
          const { message, contents } = writeNotice(notice, AccountId(address), { ...settings, noticesFrom });
          yield* journal.insert(message, contents, null);
        }),
      });
    }),
  );
}
