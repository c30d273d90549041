import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import type { Message } from "../emails/message.ts";
import { mailbox } from "../emails/people.ts";
import { timeOfEvent } from "./event-time.ts";

type Invitation = NonNullable<Message["invitation"]>;
type Answer = "accept" | "tentative" | "decline";

const ANSWERS: ReadonlyArray<readonly [answer: Answer, label: string, done: string]> = [
  ["accept", "Accept", "You accepted."],
  ["tentative", "Tentative", "You answered tentatively."],
  ["decline", "Decline", "You declined."],
];

const titleOf = ({ cancelled, method, sequence }: Invitation): string => {
  if (cancelled) return "This event is cancelled";
  if (method === "reply") return "Answer to an invitation";
  return sequence > 0 ? "Updated invitation: its time or place may have changed" : "Invitation";
};

export interface InvitationCardProps {
  readonly id: string;
  /** Undefined in a message that an earlier build kept. */
  readonly invitation: Message["invitation"] | undefined;
}

/** The event of a message, in the time zone of the browser, with the answers to it (spec 5.8). */
export const InvitationCard = ({ id, invitation }: InvitationCardProps) => {
  const reply = useMutation({
    mutationFn: (answer: Answer) => api("POST /api/messages/:id/invitation", { params: { id }, payload: { answer } }),
    onError: (error) => toast(errorText(error)),
  });
  if (invitation === null || invitation === undefined) return null;
  const { summary, location, organizer, attendees, recurs, cancelled, method } = invitation;
  const done = ANSWERS.find(([answer]) => answer === reply.data?.data.answer)?.[2];
  return (
    <section className="invitation" aria-label="Invitation">
      <p className={cancelled ? "tag bad" : "soft small"}>{titleOf(invitation)}</p>
      <h2 dir="auto">{summary || "Event without a title"}</h2>
      <dl className="message-names">
        <dt>When</dt>
        <dd>
          {timeOfEvent(invitation)}
          {recurs && ", repeats"}
        </dd>
        {location !== "" && (
          <>
            <dt>Where</dt>
            <dd dir="auto">{location}</dd>
          </>
        )}
        {organizer !== null && (
          <>
            <dt>From</dt>
            <dd dir="auto">{mailbox(organizer)}</dd>
          </>
        )}
        {attendees.length > 0 && (
          <>
            <dt>Who</dt>
            <dd dir="auto">
              {attendees.map((one) => `${one.name || one.address} (${one.status.replaceAll("-", " ")})`).join(", ")}
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
              {label}
            </Button>
          ))}
        </div>
      )}
      <p role="status" className="small">
        {done}
      </p>
    </section>
  );
};
