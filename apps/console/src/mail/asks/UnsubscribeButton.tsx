import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import type { Message } from "../emails/message.ts";
import { t } from "../../texts/text.ts";

export interface UnsubscribeButtonProps {
  readonly id: string;
  /** The ways to unsubscribe; undefined in a message that an earlier build cached. */
  readonly way: Message["unsubscribe"] | undefined;
}

/** Unsubscribes from the mailing list of a message after a confirmation, or links to the list's page for that. */
export const UnsubscribeButton = ({ id, way }: UnsubscribeButtonProps) => {
  const [isAsked, ask] = useState(false);
  const leave = useMutation({
    mutationFn: () => api("POST /api/messages/:id/unsubscribe", { params: { id } }),
    onSuccess: ({ data: { method } }) =>
      toast(t(method === "mailto" ? "The list was asked by mail to unsubscribe you" : "Unsubscribed from this list")),
    onError: (error) => toast(errorText(error)),
  });
  if (way === null || way === undefined) return null;
  if (way.method === "link") {
    return (
      <a className="button small" href={way.url} target="_blank" rel="noopener noreferrer">
        {t("Unsubscribe")}
      </a>
    );
  }
  return (
    <>
      <Button className="small" isPending={leave.isPending} onPress={() => ask(true)}>
        {t("Unsubscribe")}
      </Button>
      {isAsked && (
        <Question
          title={t("Unsubscribe from this list?")}
          yes={t("Unsubscribe")}
          no={t("Cancel")}
          destroys={false}
          onYes={() => {
            ask(false);
            leave.mutate();
          }}
          onNo={() => ask(false)}
        >
          <p>
            {t(way.method === "mailto" ? "A mail is sent from your address to the list." : "The list is told at once.")}
          </p>
        </Question>
      )}
    </>
  );
};
