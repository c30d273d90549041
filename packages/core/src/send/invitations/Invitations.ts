import * as Base64 from "effect/encoding/Base64";
import { Clock, Context, Effect, Layer, Result } from "effect";
import { addressKey } from "../../mail/index.ts";
import { type MessageNotFound, Messages } from "../../messages/index.ts";
import type { AccountId } from "../../shared/index.ts";
import { checkerOf } from "../../shared/neighbours.ts";
import { InvitationNotAnswerable } from "../errors.ts";
import { Identities } from "../identities/Identities.ts";
import { type PolicySendError, sendWithinPolicy } from "../agents/send-within-policy.ts";
import { MessageSender } from "../MessageSender.ts";
import { invitationFields } from "../rules.ts";
import type { SendingKey } from "../send-quota.ts";
import { ANSWERS, type InvitationAnswer, replyCalendar } from "./reply-calendar.ts";

/** An answer to an invitation. */
interface AnswerRequest {
  readonly answer: InvitationAnswer;
  readonly comment?: string | undefined;
}

const checkAnswer = checkerOf(invitationFields);

/** Answers invitations (spec 5.8). */
export class Invitations extends Context.Service<
  Invitations,
  {
    /**
     * Mails an answer to the organizer from the invited identity; returns the organizer's address. The mail counts
     * against the key's limit.
     */
    readonly answer: (
      account: AccountId,
      id: string,
      request: AnswerRequest,
      by: SendingKey | null,
    ) => Effect.Effect<string, MessageNotFound | InvitationNotAnswerable | PolicySendError>;
  }
>()("@postern/core/send/invitations/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const messages = yield* Messages;
      const identities = yield* Identities;
      const sending = yield* MessageSender;

      const answer = Effect.fn("Invitations.answer")(function* (
        account: AccountId,
        id: string,
        request: AnswerRequest,
        by: SendingKey | null,
      ) {
        yield* checkAnswer(request);
        const { parsed } = yield* messages.read(account, id);
        const invitation = Result.isSuccess(parsed) ? (parsed.success.invitation ?? null) : null;
        if (invitation === null || invitation.method !== "request" || invitation.cancelled) {
          return yield* new InvitationNotAnswerable();
        }
        const { organizer, attendees } = invitation;
        const { items } = yield* identities.page(account, {});
        const own = new Set(items.filter(({ verified }) => verified).map(({ address }) => addressKey(address)));
        const attendee = attendees.find(({ address }) => own.has(addressKey(address)));
        if (organizer === null || attendee === undefined || own.has(addressKey(organizer.address))) {
          return yield* new InvitationNotAnswerable();
        }
        const { comment = "" } = request;
        const now = yield* Clock.currentTimeMillis;
        const calendar = replyCalendar(invitation, organizer, attendee, request.answer, comment, now);
        const { word } = ANSWERS[request.answer];
        const reply = {
          from: attendee.address,
          to: { address: organizer.address },
          subject: `${word}: ${invitation.summary}`.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500),
          text: comment === "" ? `${word}: ${invitation.summary}` : comment,
          attachments: [{ name: "reply.ics", type: "text/calendar; method=REPLY", content: Base64.encode(calendar) }],
        };
        yield* sendWithinPolicy(sending, account, reply, by);
        return organizer.address;
      });

      return Invitations.of({ answer });
    }),
  );
}
