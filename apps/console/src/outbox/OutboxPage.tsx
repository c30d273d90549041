import { ApiProblem, type ApiAnswer } from "@postern/client/browser";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { refetchOutgoing, OUTGOING_STATES } from "../compose/sending/outgoing.ts";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Moment } from "../ui/Moment.tsx";
import { Question } from "../ui/popups/Question.tsx";
import { Empty } from "../ui/Empty.tsx";
import { errorText } from "../ui/error-text.ts";
import { Failed } from "../ui/Failed.tsx";
import { toast } from "../ui/toast.ts";
import { rich, t } from "../texts/text.ts";
import "./outbox.css";

type Item = ApiAnswer<"GET /api/outbox">["data"][number];

const TONES = {
  scheduled: "",
  queued: "warn",
  held: "warn",
  sending: "",
  sent: "good",
  failed: "bad",
  unknown: "bad",
  cancelled: "",
} as const;

const UNDER_WAY = new Set<Item["state"]>(["queued", "sending", "scheduled"]);
const ASK_AGAIN_MILLIS = 5_000;

/** The outgoing messages, with the delivery status of each recipient (spec 6). */
export default function OutboxPage() {
  const outbox = useQuery({
    queryKey: ["outbox"],
    queryFn: async ({ signal }) => (await api("GET /api/outbox", { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: one }) => UNDER_WAY.has(one)) === true ? ASK_AGAIN_MILLIS : false,
    staleTime: 0,
  });
  useEffect(() => {
    document.title = `${t("Outbox")} · Postern`;
  }, []);
  return (
    <main className="page">
      <header className="page-head">
        <h1>{t("Outbox")}</h1>
      </header>
      {outbox.isPending ? (
        <Bones rows={4} label={t("Loading the outbox")} />
      ) : outbox.isError ? (
        <Failed error={outbox.error} onRetry={outbox.refetch} />
      ) : outbox.data.length === 0 ? (
        <Empty title={t("No messages in the outbox")}>
          <p>{t("Messages you send are listed here with their delivery status.")}</p>
        </Empty>
      ) : (
        <ul className="outbox">
          {outbox.data.map((item) => (
            <OutboxRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </main>
  );
}

const OutboxRow = ({ item }: { readonly item: Item }) => {
  const cancel = useMutation({
    mutationFn: () => api("DELETE /api/outbox/:id", { params: { id: item.id } }),
    onSuccess: () => toast(t("Cancelled: the message is not sent.")),
    onError: (error) =>
      toast(
        error instanceof ApiProblem && error.status === 409
          ? t("Too late to cancel: the message is being sent or was sent.")
          : errorText(error),
      ),
    onSettled: refetchOutgoing,
  });
  const release = useMutation({
    mutationFn: () => api("POST /api/outbox/:id/release", { params: { id: item.id } }),
    onError: (error) => toast(errorText(error)),
    onSettled: refetchOutgoing,
  });
  const sendNow = useMutation({
    mutationFn: () => api("POST /api/outbox/:id/send-now", { params: { id: item.id } }),
    onSuccess: () => toast(t("The message is sent now.")),
    onError: (error) => toast(errorText(error)),
    onSettled: refetchOutgoing,
  });
  const [isAsked, setAsked] = useState(false);
  const canBeCancelled = item.state === "queued" || item.state === "scheduled" || item.state === "held";
  return (
    <li className="outgoing">
      <div className="outgoing-head">
        <span className={`tag ${TONES[item.state]}`}>{t(OUTGOING_STATES[item.state])}</span>
        <strong dir="auto">{item.subject.trim() || t("No subject")}</strong>
        <span className="soft small">
          <Moment at={item.createdAt} />
        </span>
        {item.state === "held" && (
          <Button isPending={release.isPending} onPress={() => release.mutate()}>
            {t("Send")}
          </Button>
        )}
        {item.state === "queued" && (
          <Button isPending={sendNow.isPending} onPress={() => sendNow.mutate()}>
            {t("Send now")}
          </Button>
        )}
        {canBeCancelled && (
          <Button look="danger" isPending={cancel.isPending} onPress={() => setAsked(true)}>
            {t("Cancel sending")}
          </Button>
        )}
      </div>
      {item.state === "held" && (
        <p className="small">{t("The key that requested this message was deleted. Send the message, or cancel it.")}</p>
      )}
      {item.sendAt !== null && item.state === "scheduled" && (
        <p className="small">
          {rich("Scheduled for <time></time>", { time: () => <Moment at={item.sendAt!} whole /> })}
        </p>
      )}
      {item.nextAttemptAt !== null && item.attempts > 0 && (
        <p className="small">
          {rich("{count, plural, one {# attempt} other {# attempts}}, next <time></time>", {
            count: item.attempts,
            time: () => <Moment at={item.nextAttemptAt!} whole />,
          })}
        </p>
      )}
      {item.failure !== null && <p className="small fault">{item.failure.detail || item.failure.reason}</p>}
      {item.state === "unknown" && (
        <p className="small">
          {t(
            "The mail server did not confirm the message. It may or may not have been sent, and is not sent again automatically.",
          )}
        </p>
      )}
      <ul className="recipients small">
        {item.recipients.map(({ address, state, detail }) => (
          <li key={address}>
            <span>{address}</span>{" "}
            <span className="soft">
              {detail === null
                ? t(OUTGOING_STATES[state])
                : rich("{state}: <detail></detail>", {
                    state: t(OUTGOING_STATES[state]),
                    detail: () => <bdi>{detail}</bdi>,
                  })}
            </span>
          </li>
        ))}
      </ul>
      {isAsked && (
        <Question
          title={t("Cancel sending this message?")}
          yes={t("Cancel sending")}
          no={t("Keep message")}
          onYes={() => {
            setAsked(false);
            cancel.mutate();
          }}
          onNo={() => setAsked(false)}
        >
          <p>
            {t(
              "The message is not sent. If it was written as a draft, it is in Drafts again; otherwise it is deleted.",
            )}
          </p>
        </Question>
      )}
    </li>
  );
};
