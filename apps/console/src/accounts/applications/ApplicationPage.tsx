import { useEffect } from "react";
import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { EndpointLines } from "../webhooks/EndpointLines.tsx";
import { KeyLines } from "../keys/KeyLines.tsx";
import { useServiceKeys } from "../keys/service-keys.ts";
import { ApplicationTools } from "./ApplicationTools.tsx";
import { type Application, useApplications } from "./applications.ts";
import { SuspensionTag } from "./SuspensionTag.tsx";

/** An application with its keys, its profile for users and the actions on it. */
export const ApplicationPage = ({ name }: { readonly name: string }) => {
  const applications = useApplications();
  useEffect(() => {
    document.title = `${t("Application")} · Postern`;
  }, []);
  if (applications.isPending) return <Bones rows={5} label={t("Loading the application")} />;
  if (applications.isError) return <Failed error={applications.error} onRetry={applications.refetch} />;
  const application = applications.data.find((one) => one.name === name);
  if (application === undefined) {
    return (
      <Empty title={t("Application not found")}>
        <p>{t("The application has no key left, or was deleted.")}</p>
        <Link href="/accounts/applications">{t("Go to the applications")}</Link>
      </Empty>
    );
  }
  return (
    <>
      <header className="account-head">
        <h1>{application.displayName ?? name}</h1>
        <p>
          <SuspensionTag application={application} /> {application.displayName !== null && <span>{name}</span>}
        </p>
      </header>
      {application.suspendedAt !== null && (
        <p className="notice warn">
          <span>
            {rich(
              "Suspended since <time></time>. The requests of its keys are refused; its messages wait for up to 30 days, and its events for up to 14 days.",
              { time: () => <Moment at={application.suspendedAt!} whole /> },
            )}
          </span>
        </p>
      )}
      <ApplicationTools application={application} />
      <Keys name={name} />
      <EndpointLines application={name} />
      <Profile application={application} />
    </>
  );
};

const Keys = ({ name }: { readonly name: string }) => {
  const keys = useServiceKeys();
  return (
    <section aria-labelledby="application-keys">
      <h2 id="application-keys" className="settings-part">
        {t("Service keys")}
      </h2>
      {keys.isPending ? (
        <Bones rows={2} label={t("Loading the keys")} />
      ) : keys.isError ? (
        <Failed error={keys.error} onRetry={keys.refetch} />
      ) : (
        <KeyLines keys={keys.data.filter(({ application }) => application === name)} />
      )}
    </section>
  );
};

const Profile = ({
  application: { displayName, purpose, colour, logo, notify },
}: {
  readonly application: Application;
}) => (
  <section aria-labelledby="application-profile">
    <h2 id="application-profile" className="settings-part">
      {t("Shown to users")}
    </h2>
    <dl className="facts">
      <dt>{t("Name")}</dt>
      <dd>{displayName ?? t("the name of the application")}</dd>
      <dt>{t("Purpose")}</dt>
      <dd>{purpose ?? t("none [purpose]")}</dd>
      <dt>{t("Colour")}</dt>
      <dd>{colour ?? t("that of Postern")}</dd>
      <dt>{t("Logo")}</dt>
      <dd>
        {logo === null ? (
          t("none [logo]")
        ) : (
          <img className="app-logo" src={`data:image/png;base64,${logo}`} alt={t("Logo")} />
        )}
      </dd>
      <dt>{t("Notices to")}</dt>
      <dd>{notify ?? t("the addresses of its keys")}</dd>
    </dl>
  </section>
);
