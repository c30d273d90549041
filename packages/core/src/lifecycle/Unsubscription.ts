import { Context, Effect, Layer, Result } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { type MessageNotFound, Messages, UnsubscribeFailed, unsubscribeWayOf } from "../messages/index.ts";
import { mailOfUrl, UnsubscribeNotOffered, type UnsubscribeWay } from "../messages/neighbours.ts";
import { MessageSender, type SendingKey } from "../send/index.ts";
import { type PolicySendError, sendWithinPolicy } from "../send/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import { isDelivered, WebhookSender } from "../webhooks/index.ts";

/** Leaves the mailing list of a message (spec 5.8). */
export class Unsubscription extends Context.Service<
  Unsubscription,
  {
    /**
     * Leaves the list and returns how: by a POST or a mail, or not yet, if the user must open a link. With `only`,
     * fails with `UnsubscribeNotOffered` if that way is not offered. A mail is sent for the service key in `by`.
     */
    readonly unsubscribe: (
      account: AccountId,
      id: string,
      by: SendingKey | null,
      only?: UnsubscribeWay["method"],
    ) => Effect.Effect<UnsubscribeWay, MessageNotFound | UnsubscribeNotOffered | UnsubscribeFailed | PolicySendError>;
  }
>()("@postern/core/lifecycle/Unsubscription") {
  static readonly layer = Layer.effect(
    Unsubscription,
    Effect.gen(function* () {
      const messages = yield* Messages;
      const sending = yield* MessageSender;
      const sender = yield* WebhookSender;

      const post = Effect.fnUntraced(function* (account: AccountId, id: string, url: string) {
        yield* recordOperation("answers.unsubscribe", { account, target: id });
        const outcome = yield* sender.send({ endpointId: "unsubscribe", url, headers: HEADERS, body: BODY });
        if (isDelivered(outcome)) return;
        return yield* new UnsubscribeFailed({ reason: outcome.errorCode ?? `status ${outcome.status}`, url });
      });

      return Unsubscription.of({
        unsubscribe: Effect.fn("Unsubscription.unsubscribe")(function* (account, id, by, only) {
          const { parsed } = yield* messages.read(account, id);
          const way = Result.isSuccess(parsed) ? unsubscribeWayOf(parsed.success.headers) : null;
          if (way === null || (only !== undefined && way.method !== only)) return yield* new UnsubscribeNotOffered();
          if (way.method === "one_click") yield* post(account, id, way.url);
          const mail = way.method === "mailto" ? mailOfUrl(way.url) : null;
          if (mail !== null) yield* sendWithinPolicy(sending, account, mail, by);
          return way;
        }),
      });
    }),
  );
}

/** The headers of RFC 8058, 3.1, without cookies or data about the mailbox. */
const HEADERS = { "content-type": "application/x-www-form-urlencoded", "user-agent": "Postern" };
const BODY = Uint8Array.from("List-Unsubscribe=One-Click", (char) => char.charCodeAt(0));
