import { t } from "../../texts/text.ts";
import { faultOf } from "../../ui/error-text.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { portFault, type ServerDraft, type ServerDrafts } from "./server-draft.ts";

export interface ServerFieldsProps {
  readonly servers: ServerDrafts;
  readonly onChange: (servers: ServerDrafts) => void;
  /** Whether the form was submitted; after that, a missing value is a fault. */
  readonly wasTried: boolean;
  readonly error: unknown;
}

const securities = () => [
  { id: "tls", name: t("TLS from the start") },
  { id: "starttls", name: "STARTTLS" },
];

/** The fields of an account's two servers. */
export const ServerFields = ({ servers, onChange, wasTried, error }: ServerFieldsProps) => (
  <>
    {(["imap", "smtp"] as const).map((kind) => (
      <OneServer
        key={kind}
        kind={kind}
        server={servers[kind]}
        onChange={(part) => onChange({ ...servers, [kind]: { ...servers[kind], ...part } })}
        wasTried={wasTried}
        fault={(field) => faultOf(error, `${kind}.${field}`)}
      />
    ))}
  </>
);

const OneServer = ({
  kind,
  server,
  onChange,
  wasTried,
  fault,
}: {
  readonly kind: "imap" | "smtp";
  readonly server: ServerDraft;
  readonly onChange: (part: Partial<ServerDraft>) => void;
  readonly wasTried: boolean;
  readonly fault: (field: string) => string | undefined;
}) => {
  const protocol = kind.toUpperCase();
  return (
    <fieldset className="server">
      <legend className="label">{t("{protocol} server", { protocol })}</legend>
      <Field
        label={t("{protocol} host", { protocol })}
        value={server.host}
        onChange={(host) => onChange({ host })}
        isRequired
        inputProps={{ spellCheck: false, autoComplete: "off", autoCapitalize: "none" }}
        fault={wasTried && server.host.trim() === "" ? t("Enter the {protocol} host.", { protocol }) : fault("host")}
      />
      <Field
        label={t("{protocol} port", { protocol })}
        value={server.port}
        onChange={(port) => onChange({ port })}
        isRequired
        inputProps={{ inputMode: "numeric", autoComplete: "off" }}
        fault={wasTried ? (portFault(server.port) ?? fault("port")) : fault("port")}
      />
      <Choice
        label={t("{protocol} encryption", { protocol })}
        value={server.security}
        onChange={(security) => onChange({ security: security === "tls" ? "tls" : "starttls" })}
        options={securities()}
      />
      <details className="server-more">
        <summary>{t("User name and certificate")}</summary>
        <div className="form">
          <Field
            label={t("{protocol} user name", { protocol })}
            value={server.username}
            onChange={(username) => onChange({ username })}
            inputProps={{ spellCheck: false, autoComplete: "off", autoCapitalize: "none" }}
            hint={t("Empty: the address.")}
            fault={fault("username")}
          />
          <Field
            label={t("{protocol} certificate", { protocol })}
            value={server.certificateSha256}
            onChange={(certificateSha256) => onChange({ certificateSha256 })}
            inputProps={{ spellCheck: false, autoComplete: "off" }}
            hint={t(
              "The SHA-256 fingerprint of the only certificate to accept. Empty: any certificate of a trusted authority.",
            )}
            fault={fault("certificateSha256")}
          />
        </div>
      </details>
    </fieldset>
  );
};
