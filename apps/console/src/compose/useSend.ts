import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, queries } from "../api/client.ts";
import type { Message } from "../mail/message.ts";
import { mark } from "../mail/message-actions.ts";
import { toast } from "../ui/toast.ts";
import type { Draft, Way } from "./draft.ts";
import { dropDraft } from "./kept-draft.ts";
import { payloadOf } from "./payload-of.ts";

/** The message that a draft answers or forwards; undefined if it could not be read. */
export interface Original {
  readonly way: Way;
  readonly id: string;
  readonly message: Message | undefined;
}

/** Sends a draft, once even if called several times, then drops it. */
export const useSend = (account: string, about: string, original: Original | null) => {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (draft: Draft) =>
      api("POST /api/send", { headers: { "idempotency-key": draft.key }, payload: payloadOf(draft) }),
    onSuccess: ({ status, rejected }) => {
      dropDraft(account, about);
      if (original !== null && original.way !== "forward") void mark(original.id, { answered: true });
      void queries.invalidateQueries({ queryKey: ["outbox"] });
      void queries.invalidateQueries({ queryKey: ["emails", { folder: "sent" }] });
      const refused = rejected.length === 0 ? "" : ` Not to ${rejected.map(({ recipient }) => recipient).join(", ")}.`;
      toast(status === "sent" ? `Sent.${refused}` : "Queued in the outbox until the mail server accepts it.");
      navigate(original === null ? "/outbox" : "/mail/inbox");
    },
  });
};
