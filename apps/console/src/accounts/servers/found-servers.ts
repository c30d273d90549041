import { t } from "../../texts/text.ts";
import type { Candidate } from "../records/accounts.ts";
import { ENCRYPTION, serverOf, draftsOf, type ServerDrafts } from "./server-draft.ts";
import type { NewAccount } from "../records/accounts.ts";
import type { RadioOption } from "../../ui/forms/Radios.tsx";

/** The option to type the servers. */
export const BY_HAND = "by-hand";

const named = ({ host, port, security }: Candidate["imap"]): string => `${host}:${port} (${t(ENCRYPTION[security])})`;

/** Returns the options of a discovery's answer, the most likely first, and the option to type the servers. */
export const serverOptions = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<RadioOption> => [
  ...candidates.map(({ imap, smtp, reason }, at) => ({
    id: String(at),
    name: `IMAP ${named(imap)}, SMTP ${named(smtp)}`,
    hint: reason,
  })),
  { id: BY_HAND, name: t("Enter the servers by hand") },
];

/**
 * Returns the servers to send with a new account. For the first candidate it returns none, so that the service also
 * tries the others, and because a deployment with fixed servers accepts none.
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
