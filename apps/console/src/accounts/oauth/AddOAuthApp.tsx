import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { type NewOAuthApp, refetchOAuthApps, useOAuthApps } from "./oauth-apps.ts";
import { OAuthAppForm } from "./OAuthAppForm.tsx";
import { RedirectUri } from "./RedirectUri.tsx";

/** Adds an OAuth2 app (spec 11.1), or replaces an existing app after a question. */
export const AddOAuthApp = () => {
  const [, navigate] = useLocation();
  const apps = useOAuthApps();
  const [asked, ask] = useState<NewOAuthApp | null>(null);
  const keep = useMutation({
    mutationFn: (payload: NewOAuthApp) => adminApi("POST /api/oauth/apps", { payload }),
    onSuccess: async ({ data }) => {
      await refetchOAuthApps();
      toast(t("App {id} stored. Try it with a connect link.", { id: data.id }));
      navigate("/accounts/oauth");
    },
    // The request is not cached, because it contains the secret.
    gcTime: 0,
  });
  useEffect(() => {
    document.title = `${t("Add OAuth2 app")} · Postern`;
  }, []);
  if (apps.isPending) return <Bones rows={5} label={t("Loading the apps")} />;
  if (apps.isError) return <Failed error={apps.error} onRetry={apps.refetch} />;
  const { data, redirectUri } = apps.data;
  const save = (app: NewOAuthApp) => {
    if (data.some(({ id, fixed }) => id === app.id && !fixed)) ask(app);
    else keep.mutate(app);
  };
  return (
    <>
      <header className="page-head">
        <h1>{t("Add OAuth2 app")}</h1>
      </header>
      <RedirectUri uri={redirectUri} />
      <OAuthAppForm error={keep.error} isPending={keep.isPending} onSave={save} />
      {asked !== null && (
        <Question
          title={t("Replace app {id}?", { id: asked.id })}
          yes={t("Replace app")}
          no={t("Cancel")}
          onYes={() => {
            ask(null);
            keep.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t(
              "An app with this id exists. Its accounts use the new client from now on: with another client id, their users have to consent again.",
            )}
          </p>
        </Question>
      )}
    </>
  );
};
