import { invitationFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../../auth/Authorization.ts";
import { documented } from "../../document/documented.ts";
import {
  InvitationNotAnswerable,
  MessageNotFound,
  UnsubscribeFailed,
  UnsubscribeNotOffered,
} from "../../problems/messages.ts";
import { UnsubscribeWay } from "../../records/unsubscribe-way.ts";
import { Ok } from "../../records/wire.ts";
import { MessageId } from "../message-actions.ts";
import { SEND_PROBLEMS } from "../SendGroup.ts";

const unsubscribe = HttpApiEndpoint.post("unsubscribe", "/:id/unsubscribe", {
  params: { id: MessageId },
  success: Schema.Struct({ ok: Ok, data: UnsubscribeWay }),
  error: [MessageNotFound, UnsubscribeNotOffered, UnsubscribeFailed, ...SEND_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Cancel the subscription to the mailing list of a message",
    description:
      "Posts to the list if a valid signature covers the List-Unsubscribe fields (RFC 8058), otherwise sends " +
      "the mail that the message asks for. If the message has only a link, nothing is sent: open `url` in a " +
      "browser. A repeat asks the list again.",
    answer: { ok: true, data: { method: "one_click", url: "https://news.example/leave?u=42" } },
  }),
);

const invitation = HttpApiEndpoint.post("invitation", "/:id/invitation", {
  params: { id: MessageId },
  payload: Schema.Struct({
    answer: invitationFields.answer.annotate({ description: "The answer." }),
    comment: Schema.optionalKey(invitationFields.comment.annotate({ description: "Text for the organizer." })),
  }),
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      answer: invitationFields.answer.annotate({ description: "The answer." }),
      to: Schema.String.annotate({ description: "Address of the organizer, to whom the answer is sent." }),
    }).annotate({ description: "The answer." }),
  }),
  error: [MessageNotFound, InvitationNotAnswerable, ...SEND_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Send an answer to an invitation",
    description:
      "Mails the answer (the REPLY of RFC 5546) to the organizer, from the invited address. A repeat sends another " +
      "answer, and the last one counts.",
    request: { answer: "accept", comment: "I will be there." },
    answer: { ok: true, data: { answer: "accept", to: "boss@postern.test" } },
  }),
);

/** Responses to a message: leaving its list, or answering its invitation (spec 5.8). */
export class AnswersGroup extends HttpApiGroup.make("answers")
  .add(unsubscribe)
  .add(invitation)
  .prefix("/api/messages")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Answers")
  .annotate(OpenApi.Description, "Respond to a message, for example by leaving its mailing list.") {}
