import type { ApiAnswer } from "@postern/client/browser";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { markText, rich, t, type Text } from "../texts/text.ts";
import { api, queries } from "../api/client.ts";
import { useSession } from "../session/session.ts";
import { useSignOut } from "../session/useSignOut.tsx";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Moment } from "../ui/Moment.tsx";
import { Question } from "../ui/popups/Question.tsx";
import { titleOf } from "../ui/error-text.ts";
import { Failed } from "../ui/Failed.tsx";
import { toast } from "../ui/toast.ts";
import { deviceOf } from "./device-of.ts";

type Session = ApiAnswer<"GET /api/auth/sessions">["data"][number];

const KINDS: { readonly [Kind in Session["kind"]]: Text } = {
  bearer: markText("API client"),
  cookie: markText("Browser"),
  host: markText("Embeds this service"),
};

/** The sessions of the account; each can be ended (spec 3). */
export const SessionSettings = () => {
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => (await api("GET /api/auth/sessions", { signal })).data,
    staleTime: 0,
  });
  const end = useMutation({
    mutationFn: (id: string) => api("DELETE /api/auth/sessions/:id", { params: { id } }),
    onSuccess: () => toast(t("Session ended.")),
    onError: (error) => toast(t("The session could not be ended: {error}", { error: titleOf(error) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const account = useSession().data?.email ?? "";
  const leave = useSignOut();
  const [asked, ask] = useState<Session | null>(null);
  useEffect(() => {
    document.title = `${t("Sessions")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Sessions")}</h1>
      </header>
      <p className="intro">
        {t("Browsers and API clients that are signed in to this account. Ending a session signs it out at once.")}
      </p>
      {sessions.isPending ? (
        <Bones rows={3} label={t("Loading the sessions")} />
      ) : sessions.isError ? (
        <Failed error={sessions.error} onRetry={sessions.refetch} />
      ) : (
        <ul className="lines">
          {sessions.data.map((session) => (
            <li key={session.id} className="line">
              <div className="line-main">
                <p className="line-name">
                  {session.kind === "host" ? t("This application") : deviceOf(session.userAgent)}{" "}
                  {session.current && <span className="tag good">{t("this session")}</span>}
                </p>
                <p className="soft small">
                  {rich(
                    "{kind}{from, select, nowhere {} other { from {network}}}, since <since></since>, last used <used></used>",
                    {
                      kind: t(KINDS[session.kind]),
                      from: session.network === "" ? "nowhere" : "network",
                      network: session.network,
                      since: () => <Moment at={session.createdAt} />,
                      used: () => <Moment at={session.lastUsedAt} />,
                    },
                  )}
                </p>
              </div>
              <Button
                look="danger"
                isPending={session.current ? leave.isPending : end.isPending && end.variables === session.id}
                onPress={() => (session.current ? leave.start([account]) : ask(session))}
              >
                {t(session.current ? "Sign out" : "End session")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {leave.question}
      {asked !== null && (
        <Question
          title={t("End this session?")}
          yes={t("End session")}
          no={t("Cancel")}
          onYes={() => {
            ask(null);
            end.mutate(asked.id);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t("{device}, from {network}, is signed out at once and loses its unsaved changes.", {
              device: deviceOf(asked.userAgent),
              network: asked.network,
            })}
          </p>
        </Question>
      )}
    </>
  );
};
