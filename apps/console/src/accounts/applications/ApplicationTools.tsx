import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { markText, t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Radios } from "../../ui/forms/Radios.tsx";
import { Power, Trash2 } from "../../ui/icons/icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { type Application, refetchApplications, mailChoices } from "./applications.ts";

type Mail = ReturnType<typeof mailChoices>[number]["id"];

/** Suspends, resumes and deletes an application (spec 10.2). */
export const ApplicationTools = ({ application: { name, suspendedAt } }: { readonly application: Application }) => {
  const [, navigate] = useLocation();
  const [asked, ask] = useState<"suspend" | "delete" | null>(null);
  const [mail, setMail] = useState<Mail>("cancel");
  const close = () => ask(null);
  const isSuspended = suspendedAt !== null;
  const setSuspended = useMutation({
    mutationFn: () =>
      adminApi(isSuspended ? "POST /api/applications/:name/resume" : "POST /api/applications/:name/suspend", {
        params: { name },
      }),
    onSuccess: ({ data }) => toast(t(data.suspended ? "Application suspended." : "Application resumed.")),
    onError: (error) => toast(errorText(error)),
    onSettled: refetchApplications,
  });
  const remove = useMutation({
    mutationFn: () => adminApi("DELETE /api/applications/:name", { params: { name }, query: { mail } }),
    onSuccess: ({ data: { keys, ended } }) => {
      const deleted = t(
        "Application deleted, with {keys, plural, one {# key} other {# keys}} and {endpoints, plural, one {# endpoint} other {# endpoints}}.",
        { keys: keys.length, endpoints: ended.endpoints },
      );
      toast(ended.messages === 0 ? deleted : `${deleted} ${t(OUTCOMES[mail], { count: ended.messages })}`);
      navigate("/accounts/applications", { replace: true });
    },
    onError: (error) => toast(errorText(error)),
    onSettled: refetchApplications,
  });
  return (
    <div className="buttons account-tools">
      <Button
        icon={<Power size={16} aria-hidden />}
        isPending={setSuspended.isPending}
        onPress={() => (isSuspended ? setSuspended.mutate() : ask("suspend"))}
      >
        {t(isSuspended ? "Resume" : "Suspend")}
      </Button>
      <Link href={`/accounts/outbox?${new URLSearchParams({ application: name }).toString()}`} className="button">
        {t("Its outbox")}
      </Link>
      <Button
        look="danger"
        icon={<Trash2 size={16} aria-hidden />}
        isPending={remove.isPending}
        onPress={() => ask("delete")}
      >
        {t("Delete")}
      </Button>
      {asked === "suspend" && (
        <Question
          title={t("Suspend {name}?", { name })}
          yes={t("Suspend")}
          no={t("Cancel")}
          onYes={() => {
            close();
            setSuspended.mutate();
          }}
          onNo={close}
        >
          <p>
            {t(
              "Every request of its keys is refused and its streams end. Its messages wait for up to 30 days and its events for up to 14 days, until you resume it.",
            )}
          </p>
        </Question>
      )}
      {asked === "delete" && (
        <Question
          title={t("Delete {name}?", { name })}
          yes={t("Delete application")}
          no={t("Cancel")}
          onYes={() => {
            close();
            remove.mutate();
          }}
          onNo={close}
        >
          <p>
            {t(
              "Its keys, its webhook endpoints and its links for connecting accounts end at once. Its accounts stay. This cannot be undone.",
            )}
          </p>
          <Radios
            label={t("Messages that wait to be sent")}
            value={mail}
            onChange={(choice) => setMail(choice as Mail)}
            options={mailChoices()}
          />
        </Question>
      )}
    </div>
  );
};

const OUTCOMES = {
  cancel: markText("{count, plural, one {# waiting message} other {# waiting messages}} cancelled."),
  hold: markText("{count, plural, one {# waiting message} other {# waiting messages}} held."),
  keep: markText("{count, plural, one {# waiting message} other {# waiting messages}} kept."),
} as const;
