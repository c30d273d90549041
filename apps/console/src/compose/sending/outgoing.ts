import { ApiProblem } from "@postern/client/browser";
import { api, queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import { markText, t } from "../../texts/text.ts";

const LOOK_MILLIS = 2_000;
const MAX_LOOKS = 15;

/** The states of an outgoing message and of its recipients. */
export const OUTGOING_STATES = {
  scheduled: markText("scheduled"),
  queued: markText("queued"),
  held: markText("held"),
  sending: markText("sending"),
  sent: markText("sent"),
  failed: markText("failed"),
  unknown: markText("unknown"),
  cancelled: markText("cancelled"),
} as const;

const UNDER_WAY: ReadonlyArray<string> = ["scheduled", "queued", "sending"];

/** Refetches the lists that change when a message is sent or cancelled. */
export const refetchOutgoing = (): void => {
  for (const key of ["outbox", "drafts", "folders", "emails", "people"])
    void queries.invalidateQueries({ queryKey: [key] });
};

/** Cancels an outgoing message, which makes it a draft again. */
export const cancelSending = async (id: string, onDraft: () => void): Promise<void> => {
  try {
    await api("DELETE /api/outbox/:id", { params: { id } });
    toast(t("Not sent: it is a draft again."));
    onDraft();
  } catch (error) {
    const isLate = error instanceof ApiProblem && error.status === 409;
    toast(isLate ? t("Too late to cancel: the message is being sent or was sent.") : errorText(error));
  }
  refetchOutgoing();
};

/** Returns the text that a message was sent, with the recipients that the mail server refused. */
export const sentText = (refused: ReadonlyArray<string>): string =>
  refused.length === 0 ? t("Sent.") : t("Sent. Not to {recipients}.", { recipients: refused.join(t(", ")) });

/** Shows the outcome of a sent message, as long as the page is open. */
export const followSending = (id: string, afterMillis: number): void => {
  let looks = 0;
  const look = async (): Promise<void> => {
    const item = (await api("GET /api/outbox").catch(() => null))?.data.find((one) => one.id === id);
    if (item?.state === "cancelled") return;
    if (item === undefined || UNDER_WAY.includes(item.state)) {
      if (++looks < MAX_LOOKS) setTimeout(() => void look(), LOOK_MILLIS);
      else if (item !== undefined) toast(t("Queued in the outbox until the mail server accepts it."));
      return;
    }
    if (item.state === "sent") {
      const refused = item.recipients.filter(({ state }) => state === "failed").map(({ address }) => address);
      toast(sentText(refused));
    } else if (item.state === "held") {
      toast(t("Held in the outbox until it is released."));
    } else if (item.state === "unknown") {
      toast(
        t(
          "The mail server did not confirm the message. It may or may not have been sent, and is not sent again automatically.",
        ),
      );
    } else {
      const reason = item.failure?.detail ?? t(OUTGOING_STATES[item.state]);
      toast(t("Not sent: {reason}. It is in Drafts again.", { reason }));
    }
    refetchOutgoing();
  };
  setTimeout(() => void look(), afterMillis + LOOK_MILLIS);
};
