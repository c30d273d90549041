import { markText, t } from "../../texts/text.ts";
import type { Account, ServerInput } from "../records/accounts.ts";

/** A mail server as it is typed. */
export interface ServerDraft {
  readonly host: string;
  readonly port: string;
  readonly security: ServerInput["security"];
  readonly username: string;
  readonly certificateSha256: string;
}

export interface ServerDrafts {
  readonly imap: ServerDraft;
  readonly smtp: ServerDraft;
}

export const ENCRYPTION = {
  tls: markText("TLS"),
  starttls: markText("STARTTLS"),
  none: markText("not encrypted"),
} as const;

const empty = (port: string): ServerDraft => ({
  host: "",
  port,
  security: "tls",
  username: "",
  certificateSha256: "",
});

type ShownServer = Pick<NonNullable<Account["imap"]>, "host" | "port" | "security"> &
  Partial<Pick<NonNullable<Account["imap"]>, "username" | "certificateSha256">>;

/** Returns the initial draft of a server, from the existing server if there is one. */
const draftOf = (server: ShownServer | null | undefined, port: string): ServerDraft =>
  server == null
    ? empty(port)
    : {
        host: server.host,
        port: String(server.port),
        // A plaintext server is shown as STARTTLS, the setting with which it was requested in a network that permits
        // plaintext (spec 10.3).
        security: server.security === "tls" ? "tls" : "starttls",
        username: server.username ?? "",
        certificateSha256: server.certificateSha256 ?? "",
      };

/** Returns the initial drafts of both servers, from these servers or with the usual ports. */
export const draftsOf = (servers?: {
  readonly imap: ShownServer | null;
  readonly smtp: ShownServer | null;
}): ServerDrafts => ({ imap: draftOf(servers?.imap, "993"), smtp: draftOf(servers?.smtp, "465") });

/** Returns the server of a draft for a request. */
export const serverOf = ({ host, port, security, username, certificateSha256 }: ServerDraft): ServerInput => ({
  host: host.trim(),
  port: Number(port),
  security,
  ...(username.trim() === "" ? {} : { username: username.trim() }),
  ...(certificateSha256.trim() === "" ? {} : { certificateSha256: certificateSha256.trim() }),
});

/** Returns the fault of a typed port, if there is one. */
export const portFault = (port: string): string | undefined =>
  /^\d{1,5}$/.test(port.trim()) && Number(port) >= 1 && Number(port) <= 65_535
    ? undefined
    : t("Enter a port from 1 to 65535.");

export const isWhole = ({ host, port }: ServerDraft): boolean => host.trim() !== "" && portFault(port) === undefined;
