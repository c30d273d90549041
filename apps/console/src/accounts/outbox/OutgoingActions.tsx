import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { listOutgoingAgain, type OutgoingFilter } from "./outgoing.ts";

const ACTIONS = {
  hold: {
    name: "Hold",
    title: "Hold all messages that match?",
    effect: "Messages that wait are not sent until you release them, and are cancelled after 30 days.",
    did: "held",
  },
  release: {
    name: "Release",
    title: "Release all messages that match?",
    effect: "Messages that you hold, and those whose key was deleted, are sent at once or at their time.",
    did: "released",
  },
  cancel: {
    name: "Cancel sending",
    title: "Cancel all messages that match?",
    effect:
      "Messages that wait, held ones included, are not sent to the recipients that remain. This cannot be undone.",
    did: "cancelled",
  },
} as const;

type Action = keyof typeof ACTIONS;

/** Holds, releases and cancels the messages that match a filter; the service refuses these actions without a filter. */
export const OutgoingActions = ({ filter }: { readonly filter: OutgoingFilter }) => {
  const [asked, ask] = useState<Action | null>(null);
  const change = useMutation({
    mutationFn: (action: Action) => adminApi(`POST /api/admin/outbox/${action}`, { payload: filter }),
    onSuccess: ({ data: { messages, sending } }, action) =>
      toast(
        `${messages} ${messages === 1 ? "message" : "messages"} ${ACTIONS[action].did}.` +
          (sending === 0 ? "" : ` ${sending} in progress: changed when the attempt has ended.`),
      ),
    onError: (error) => toast(errorText(error)),
    onSettled: listOutgoingAgain,
  });
  if (Object.keys(filter).length === 0) {
    return <p className="soft small">Filter the list to hold, release or cancel the messages that match.</p>;
  }
  const { title, effect, name } = ACTIONS[asked ?? "hold"];
  return (
    <div className="buttons outgoing-actions" role="group" aria-label="Messages that match the filter">
      {Object.entries(ACTIONS).map(([action, one]) => (
        <Button
          key={action}
          look={action === "cancel" ? "danger" : "plain"}
          isPending={change.isPending && change.variables === action}
          onPress={() => ask(action as Action)}
        >
          {one.name}
        </Button>
      ))}
      {asked !== null && (
        <Question
          title={title}
          yes={asked === "cancel" ? name : `${name} messages`}
          no="Go back"
          destroys={asked === "cancel"}
          onYes={() => {
            ask(null);
            change.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>{effect} Also messages that this list does not show yet are changed.</p>
        </Question>
      )}
    </div>
  );
};
