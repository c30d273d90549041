import { Context, Effect, Layer, Metric, Option } from "effect";
import { Applications } from "../auth/index.ts";
import { OutgoingJournal, SendSettings } from "../send/index.ts";
import { AccountId, type StoreUnavailable } from "../shared/index.ts";
import type { DisabledNotice } from "./Endpoint.ts";
import type { ApplicationOwner } from "./EndpointOwner.ts";
import { WebhookSettings } from "./WebhookSettings.ts";
import { writeNotice } from "./write-notice.ts";

/** Counts disabled endpoints of applications whose owner could not be notified. */
const unnotified = Metric.counter("webhook_notices_unsent_total", {
  description: "Endpoints of applications that were disabled without a notice to an address",
  incremental: true,
});

/** Notifies owners by e-mail that an endpoint was disabled, through the journal of outgoing messages (spec 7.5). */
export class EndpointNotices extends Context.Service<
  EndpointNotices,
  {
    /**
     * Journals the e-mail inside the transaction that disables the endpoint; once per endpoint and generation. Logs an
     * error if an application has no address for notices, or the operator has set no server that sends them.
     */
    readonly notifyDisabled: (notice: DisabledNotice) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/EndpointNotices") {
  static readonly layer = Layer.effect(
    EndpointNotices,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const settings = yield* WebhookSettings;
      const { noticesFrom } = yield* SendSettings;
      const applications = yield* Applications;
      yield* Metric.update(unnotified, 0);

      const notifyOf = ({ application, notify }: ApplicationOwner) =>
        Effect.map(applications.find(application), (known) => Option.getOrUndefined(known)?.notify ?? notify);

      return EndpointNotices.of({
        notifyDisabled: Effect.fn("EndpointNotices.notifyDisabled")(function* (notice: DisabledNotice) {
          const { owner, endpointId } = notice;
          // An application has no mailbox to send from, so its notices need the operator's server.
          const address =
            owner._tag === "Account" ? owner.account : noticesFrom === null ? null : yield* notifyOf(owner);
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
