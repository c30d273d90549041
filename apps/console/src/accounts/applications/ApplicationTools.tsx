import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Radios } from "../../ui/forms/Radios.tsx";
import { Power, Trash2 } from "../../ui/icons/icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { type Application, applicationsChanged, MAIL_CHOICES } from "./applications.ts";

type Mail = (typeof MAIL_CHOICES)[number]["id"];

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
    onSuccess: ({ data }) => toast(data.suspended ? "Application suspended." : "Application resumed."),
    onError: (error) => toast(errorText(error)),
    onSettled: applicationsChanged,
  });
  const remove = useMutation({
    mutationFn: () => adminApi("DELETE /api/applications/:name", { params: { name }, query: { mail } }),
    onSuccess: ({ data: { keys, ended } }) => {
      const messages = ended.messages === 0 ? "" : ` ${counted(ended.messages, "waiting message")} ${OUTCOMES[mail]}.`;
      toast(
        `Application deleted, with ${counted(keys.length, "key")} and ${counted(ended.endpoints, "endpoint")}.${messages}`,
      );
      navigate("/accounts/applications", { replace: true });
    },
    onError: (error) => toast(errorText(error)),
    onSettled: applicationsChanged,
  });
  return (
    <div className="buttons account-tools">
      <Button
        icon={<Power size={16} aria-hidden />}
        isPending={setSuspended.isPending}
        onPress={() => (isSuspended ? setSuspended.mutate() : ask("suspend"))}
      >
        {isSuspended ? "Resume" : "Suspend"}
      </Button>
      <Link href={`/accounts/outbox?${new URLSearchParams({ application: name }).toString()}`} className="button">
        Its outbox
      </Link>
      <Button
        look="danger"
        icon={<Trash2 size={16} aria-hidden />}
        isPending={remove.isPending}
        onPress={() => ask("delete")}
      >
        Delete
      </Button>
      {asked === "suspend" && (
        <Question
          title={`Suspend ${name}?`}
          yes="Suspend"
          no="Cancel"
          onYes={() => {
            close();
            setSuspended.mutate();
          }}
          onNo={close}
        >
          <p>
            Every request of its keys is refused and its streams end. Its messages wait for up to 30 days and its events
            for up to 14 days, until you resume it.
          </p>
        </Question>
      )}
      {asked === "delete" && (
        <Question
          title={`Delete ${name}?`}
          yes="Delete application"
          no="Cancel"
          onYes={() => {
            close();
            remove.mutate();
          }}
          onNo={close}
        >
          <p>
            Its keys, its webhook endpoints and its links for connecting accounts end at once. Its accounts stay. This
            cannot be undone.
          </p>
          <Radios
            label="Messages that wait to be sent"
            value={mail}
            onChange={(choice) => setMail(choice as Mail)}
            options={MAIL_CHOICES}
          />
        </Question>
      )}
    </div>
  );
};

const OUTCOMES = { cancel: "cancelled", hold: "held", keep: "kept" } as const;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
