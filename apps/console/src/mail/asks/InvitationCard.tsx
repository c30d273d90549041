import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import type { Message } from "../emails/message.ts";
import { mailbox } from "../emails/people.ts";
import { timeOfEvent } from "./event-time.ts";
import { markText, t, type Text } from "../../texts/text.ts";

type Invitation = NonNullable<Message["invitation"]>;
type Answer = "accept" | "tentative" | "decline";

const ANSWERS: ReadonlyArray<readonly [answer: Answer, label: Text, done: Text]> = [
  ["accept", markText("Accept [invitation]"), markText("You accepted.")],
  ["tentative", markText("Tentative"), markText("You answered tentatively.")],
  ["decline", markText("Decline [invitation]"), markText("You declined.")],
];

const STATUSES: Readonly<Record<string, Text>> = {
  accepted: markText("accepted [invitation]"),
  tentative: markText("tentative [invitation]"),
  declined: markText("declined [invitation]"),
  "needs-action": markText("needs action"),
};

const statusText = (status: string): string => {
  const known = STATUSES[status];
  return known === undefined ? status.replaceAll("-", " ") : t(known);
};

const titleOf = ({ cancelled, method, sequence }: Invitation): string => {
  if (cancelled) return t("This event is cancelled");
  if (method === "reply") return t("Answer to an invitation");
  return t(sequence > 0 ? "Updated invitation: its time or place may have changed" : "Invitation");
};

export interface InvitationCardProps {
  readonly id: string;
  /** The invitation; undefined in a message that an earlier build cached. */
  readonly invitation: Message["invitation"] | undefined;
}

/** The event of a message, in the time zone of the browser, with buttons for the answers (spec 5.8). */
export const InvitationCard = ({ id, invitation }: InvitationCardProps) => {
  const reply = useMutation({
    mutationFn: (answer: Answer) => api("POST /api/messages/:id/invitation", { params: { id }, payload: { answer } }),
    onError: (error) => toast(errorText(error)),
  });
  if (invitation === null || invitation === undefined) return null;
  const { summary, location, organizer, attendees, recurs, cancelled, method } = invitation;
  const time = timeOfEvent(invitation);
  const done = ANSWERS.find(([answer]) => answer === reply.data?.data.answer)?.[2];
  return (
    <section className="invitation" aria-label={t("Invitation")}>
      <p className={cancelled ? "tag bad" : "soft small"}>{titleOf(invitation)}</p>
      <h2 dir="auto">{summary || t("Event without a title")}</h2>
      <dl className="message-names">
        <dt>{t("When")}</dt>
        <dd>{recurs ? t("{time}, repeats", { time }) : time}</dd>
        {location !== "" && (
          <>
            <dt>{t("Where")}</dt>
            <dd dir="auto">{location}</dd>
          </>
        )}
        {organizer !== null && (
          <>
            <dt>{t("From")}</dt>
            <dd dir="auto">{mailbox(organizer)}</dd>
          </>
        )}
        {attendees.length > 0 && (
          <>
            <dt>{t("Who")}</dt>
            <dd dir="auto">
              {attendees.map((one) => `${one.name || one.address} (${statusText(one.status)})`).join(t(", "))}
            </dd>
          </>
        )}
      </dl>
      {method === "request" && !cancelled && (
        <div className="buttons">
          {ANSWERS.map(([answer, label]) => (
            <Button
              key={answer}
              look={answer === "accept" ? "primary" : "plain"}
              isPending={reply.isPending}
              onPress={() => reply.mutate(answer)}
            >
              {t(label)}
            </Button>
          ))}
        </div>
      )}
      <p role="status" className="small">
        {done !== undefined && t(done)}
      </p>
    </section>
  );
};
