import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Failed } from "../../ui/Failed.tsx";
import { Plus } from "../../ui/icons/icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { type OAuthApp, refetchOAuthApps, useOAuthApps } from "./oauth-apps.ts";
import { OAuthAppLine } from "./OAuthAppLine.tsx";
import { RedirectUri } from "./RedirectUri.tsx";

/** The OAuth2 apps, ordered by id (spec 11.1). */
export const OAuthAppList = () => {
  const apps = useOAuthApps();
  const [asked, ask] = useState<OAuthApp | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: OAuthApp) => adminApi("DELETE /api/oauth/apps/:id", { params: { id } }),
    onSuccess: (_, { id }) => toast(t("App {id} deleted.", { id })),
    onError: (error) => toast(t("The app could not be deleted: {reason}", { reason: errorText(error) })),
    onSettled: refetchOAuthApps,
  });
  useEffect(() => {
    document.title = `${t("OAuth2 apps")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("OAuth2 apps")}</h1>
        <Link href="/accounts/oauth/new" className="button primary">
          <Plus size={17} aria-hidden />
          {t("Add app")}
        </Link>
      </header>
      <p className="intro">
        {t(
          "An app is a client that you registered at Google, Microsoft or an OpenID provider. Through an app, users sign in by a consent instead of a password.",
        )}
      </p>
      {apps.isPending ? (
        <Bones rows={3} label={t("Loading the apps")} />
      ) : apps.isError ? (
        <Failed error={apps.error} onRetry={apps.refetch} />
      ) : (
        <>
          {apps.data.data.length === 0 ? (
            <Empty title={t("No apps yet")}>
              <p>{t("Microsoft 365 and Google Workspace take no passwords from other programs: they need an app.")}</p>
            </Empty>
          ) : (
            <ul className="lines" aria-label={t("OAuth2 apps")}>
              {apps.data.data.map((app) => (
                <OAuthAppLine
                  key={app.id}
                  app={app}
                  isPending={remove.isPending && remove.variables.id === app.id}
                  onRemove={() => ask(app)}
                />
              ))}
            </ul>
          )}
          <RedirectUri uri={apps.data.redirectUri} />
        </>
      )}
      {asked !== null && (
        <Question
          title={t("Delete app {id}?", { id: asked.id })}
          yes={t("Delete app")}
          no={t("Cancel")}
          onYes={() => {
            ask(null);
            remove.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t(
              "The accounts of the app get no new access tokens, and become unreachable when their last tokens expire, usually within an hour. A new app with the same id and client makes them reachable again.",
            )}
          </p>
        </Question>
      )}
    </>
  );
};
