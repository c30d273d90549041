import { markText, t, type Text } from "../../texts/text.ts";
import type { Candidate } from "../records/accounts.ts";
import { ENCRYPTION, serverOf, draftsOf, type ServerDrafts } from "./server-draft.ts";
import type { NewAccount } from "../records/accounts.ts";
import type { RadioOption } from "../../ui/forms/Radios.tsx";

/** The option to type the servers. */
export const BY_HAND = "by-hand";

const serverText = ({ host, port, security }: Candidate["imap"]): string =>
  `${host}:${port} (${t(ENCRYPTION[security])})`;

/** The reasons why servers are proposed, by their source, in the English of the service. */
const REASONS: Readonly<Record<string, Text>> = {
  operator: markText("This service is set up with these servers for the domain."),
  known_provider: markText("{provider} gives out addresses of this domain."),
  autoconfig: markText("{domain} publishes these servers in an autoconfig document."),
  srv: markText("{domain} publishes these servers in SRV records."),
  ispdb: markText("The provider database of this service lists the domain."),
  mx: markText("{host}, which takes mail for the domain, belongs to {provider}."),
  guess: markText("No source names servers for the domain. Many providers use these names for their servers."),
};

const reasonOf = (source: string, values: Readonly<Record<string, string>>): string | undefined =>
  REASONS[source] === undefined ? undefined : t(REASONS[source], values);

/** Returns the options of a discovery's answer, the most likely first, and the option to type the servers. */
export const serverOptions = (email: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<RadioOption> => [
  ...candidates.map(({ imap, smtp, source, provider, reason }, at) => ({
    id: String(at),
    name: `IMAP ${serverText(imap)}, SMTP ${serverText(smtp)}`,
    hint:
      reasonOf(source, {
        domain: email.slice(email.lastIndexOf("@") + 1).toLowerCase(),
        provider: provider ?? "",
        // Only the reason names the host.
        host: reason.split(",", 1)[0]!,
      }) ?? reason,
  })),
  { id: BY_HAND, name: t("Enter the servers by hand") },
];

/**
 * Returns the servers to send with a new account. Returns none for the first candidate, so that the service also tries
 * the others, and because a deployment with fixed servers accepts none.
 */
export const chosenServers = (
  choice: string,
  candidates: ReadonlyArray<Candidate>,
  typed: ServerDrafts,
): Pick<NewAccount, "imap" | "smtp"> => {
  const candidate = candidates[Number(choice)];
  if (choice === "0" && candidate !== undefined) return {};
  const { imap, smtp } = candidate === undefined ? typed : draftsOf(candidate);
  return { imap: serverOf(imap), smtp: serverOf(smtp) };
};
