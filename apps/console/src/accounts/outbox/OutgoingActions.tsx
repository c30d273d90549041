import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { markText, t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { listOutgoingAgain, type OutgoingFilter } from "./outgoing.ts";

const ACTIONS = {
  hold: {
    name: markText("Hold"),
    title: markText("Hold all messages that match?"),
    yes: markText("Hold messages"),
    effect: markText("Waiting messages are not sent until you release them. After 30 days they are cancelled."),
    did: markText("{count, plural, one {# message} other {# messages}} held."),
  },
  release: {
    name: markText("Release"),
    title: markText("Release all messages that match?"),
    yes: markText("Release messages"),
    effect: markText("Messages that you hold, and those whose key was deleted, are sent at once or at their time."),
    did: markText("{count, plural, one {# message} other {# messages}} released."),
  },
  cancel: {
    name: markText("Cancel sending"),
    title: markText("Cancel all messages that match?"),
    yes: markText("Cancel sending"),
    effect: markText(
      "Messages that wait, held ones included, are not sent to the recipients that remain. This cannot be undone.",
    ),
    did: markText("{count, plural, one {# message} other {# messages}} cancelled."),
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
        t(ACTIONS[action].did, { count: messages }) +
          (sending === 0
            ? ""
            : ` ${t("{count, plural, one {#} other {#}} in progress: changed when the attempt has ended.", { count: sending })}`),
      ),
    onError: (error) => toast(errorText(error)),
    onSettled: listOutgoingAgain,
  });
  if (Object.keys(filter).length === 0) {
    return <p className="soft small">{t("Filter the list to hold, release or cancel the messages that match.")}</p>;
  }
  const { title, effect, yes } = ACTIONS[asked ?? "hold"];
  return (
    <div className="buttons outgoing-actions" role="group" aria-label={t("Messages that match the filter")}>
      {Object.entries(ACTIONS).map(([action, one]) => (
        <Button
          key={action}
          look={action === "cancel" ? "danger" : "plain"}
          isPending={change.isPending && change.variables === action}
          onPress={() => ask(action as Action)}
        >
          {t(one.name)}
        </Button>
      ))}
      {asked !== null && (
        <Question
          title={t(title)}
          yes={t(yes)}
          no={t("Go back")}
          destroys={asked === "cancel"}
          onYes={() => {
            ask(null);
            change.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t(effect)} {t("The action also changes messages that this list does not show yet.")}
          </p>
        </Question>
      )}
    </div>
  );
};
