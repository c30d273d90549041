import { useEffect } from "react";
import { Link, useSearchParams } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { ApplicationEndpoint } from "../webhooks/ApplicationEndpoint.tsx";
import { applicationPath } from "../keys/service-keys.ts";
import { ApplicationPage } from "./ApplicationPage.tsx";
import { type Application, useApplications } from "./applications.ts";
import { SuspensionTag } from "./SuspensionTag.tsx";

/** The applications by name, or the application or its endpoint that the address names (spec 10.2, 7.13). */
export const Applications = () => {
  const [query] = useSearchParams();
  const name = query.get("name");
  const endpoint = query.get("endpoint");
  if (name !== null && endpoint !== null)
    return <ApplicationEndpoint key={endpoint} application={name} id={endpoint} />;
  return name === null ? <ApplicationList /> : <ApplicationPage key={name} name={name} />;
};

const ApplicationList = () => {
  const applications = useApplications();
  useEffect(() => {
    document.title = `${t("Applications")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Applications")}</h1>
      </header>
      <p className="intro">
        {t("An application is one or more service keys with one name. It exists as long as it has a key.")}
      </p>
      {applications.isPending ? (
        <Bones rows={3} label={t("Loading the applications")} />
      ) : applications.isError ? (
        <Failed error={applications.error} onRetry={applications.refetch} />
      ) : applications.data.length === 0 ? (
        <Empty title={t("No applications yet")}>
          <p>
            {rich("<link>Create a service key</link> for each application.", {
              link: (chunks) => <Link href="/accounts/keys/new">{chunks}</Link>,
            })}
          </p>
        </Empty>
      ) : (
        <ul className="lines" aria-label={t("Applications")}>
          {applications.data.map((application) => (
            <ApplicationLine key={application.id} application={application} />
          ))}
        </ul>
      )}
    </>
  );
};

const ApplicationLine = ({ application }: { readonly application: Application }) => {
  const { name, displayName, keys, purpose } = application;
  return (
    <li className="line">
      <div className="line-main">
        <Link href={applicationPath(name)} className="line-name">
          {displayName ?? name}
        </Link>
        <p className="soft small">
          {displayName !== null && `${name}. `}
          {t("{keys, plural, one {# key} other {# keys}}", { keys })}
          {purpose !== null && `. ${purpose}`}
        </p>
      </div>
      <SuspensionTag application={application} />
    </li>
  );
};
