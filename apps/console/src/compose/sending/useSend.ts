import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { serverNow } from "../../api/server-clock.ts";
import { toast } from "../../ui/toast.ts";
import { dayAndTime } from "../../ui/time.ts";
import type { DraftSaver } from "../draft/DraftSaver.ts";
import { goBack } from "./go-back.ts";
import { cancelSending, followSending, refetchOutgoing, sentText } from "./outgoing.ts";
import { undoSeconds } from "../text/writing-settings.ts";
import { t } from "../../texts/text.ts";

/**
 * A margin for the clock of the service, which is known with an error of a second: the message must not be sent while
 * Undo is shown.
 */
const MARGIN_MILLIS = 1_500;

/**
 * Sends a draft at `at`, or after the time for Undo; repeated calls send it once. The service holds the message until
 * then, so that it is sent even if the page is closed.
 */
export const useSend = (saver: DraftSaver) => {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async (at: Date | null) => {
      const holdMillis = undoSeconds() * 1_000;
      const held = holdMillis === 0 ? null : new Date(serverNow() + holdMillis + MARGIN_MILLIS);
      return { holdMillis, answer: await saver.send((at ?? held)?.toISOString() ?? null) };
    },
    onSuccess: ({ holdMillis, answer: { id, draftId, status, rejected } }, at) => {
      refetchOutgoing();
      const undo = (): void => void cancelSending(id, () => navigate(`/compose?draft=${draftId}`));
      if (at !== null) toast(t("Scheduled for {time}.", { time: dayAndTime(at.toISOString()) }), undo);
      else if (status === "scheduled") {
        toast(t("Sending…"), undo, holdMillis);
        followSending(id, holdMillis);
      } else {
        const refused = rejected.map(({ recipient }) => recipient);
        toast(status === "sent" ? sentText(refused) : t("Queued in the outbox until the mail server accepts it."));
      }
      goBack(navigate, "/mail/inbox");
    },
  });
};
