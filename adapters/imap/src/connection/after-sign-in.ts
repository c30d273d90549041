import type { ImapFlow } from "imapflow";
import { inOneWrite } from "../wire/in-one-write.ts";
import { statusTaken } from "../rows/status-taken.ts";

/** imapflow runs commands by name. */
interface Runs {
  run: (command: string, ...args: ReadonlyArray<unknown>) => Promise<unknown>;
  readonly clientInfo: Readonly<Record<string, string>>;
}

/** The values of a STATUS response by name. */
type Status = Awaited<ReturnType<ImapFlow["status"]>>;

const STATUSES = new WeakMap<ImapFlow, Status>();

/** Returns the STATUS of INBOX that came with the sign-in, once. */
export const takeFirstStatus = (client: ImapFlow): Status | undefined => {
  const status = STATUSES.get(client);
  STATUSES.delete(client);
  return status;
};

/**
 * Makes a client that only verifies a credential send all commands after its sign-in in one write. These are NAMESPACE
 * (which Exchange refuses after some failed sign-ins), ID (without which 163.com refuses to open a mailbox) and STATUS
 * of INBOX. imapflow would send ID before and after the sign-in, and wait for each answer.
 */
export const joinAfterSignIn = (client: ImapFlow): void => {
  const runs = client as unknown as Runs;
  const run = runs.run.bind(client);
  runs.run = (command, ...args) => {
    if (command === "ID") return Promise.resolve(false);
    if (command !== "NAMESPACE") return run(command, ...args);
    delete (runs as Partial<Runs>).run;
    const { capabilities } = client;
    const id = capabilities.has("ID") ? [`ID (${quoted(runs.clientInfo)})`] : [];
    const items = `MESSAGES UIDNEXT UIDVALIDITY${capabilities.has("CONDSTORE") ? " HIGHESTMODSEQ" : ""}`;
    const { status, take } = statusTaken();
    return inOneWrite(client, [...id, `STATUS INBOX (${items})`], take, () => run(command, ...args)).then(
      ({ answer, accepted }) => {
        if (accepted.at(-1) === true) STATUSES.set(client, { ...status, path: "INBOX" } as Status);
        return answer;
      },
    );
  };
};

const quoted = (info: Readonly<Record<string, string>>): string =>
  Object.entries(info)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `"${key}" "${value}"`)
    .join(" ");
