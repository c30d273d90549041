import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { queries } from "../api/client.ts";
import { toast } from "../ui/toast.ts";
import type { DraftSaver } from "./DraftSaver.ts";

/** Sends a draft, once even if called several times. */
export const useSend = (saver: DraftSaver) => {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => saver.send(null),
    onSuccess: ({ status, rejected }) => {
      for (const key of [["outbox"], ["drafts"], ["folders"], ["emails"]]) {
        void queries.invalidateQueries({ queryKey: key });
      }
      const refused = rejected.length === 0 ? "" : ` Not to ${rejected.map(({ recipient }) => recipient).join(", ")}.`;
      toast(status === "sent" ? `Sent.${refused}` : "Queued in the outbox until the mail server accepts it.");
      navigate(saver.state().draft.hidden.replyToMessageId === undefined ? "/outbox" : "/mail/inbox");
    },
  });
};
