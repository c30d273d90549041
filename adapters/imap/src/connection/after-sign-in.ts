import type { ImapFlow } from "imapflow";
import { inOneWrite } from "../wire/in-one-write.ts";
import { collectStatus } from "../rows/collect-status.ts";

/** imapflow runs commands by name. */
interface CommandRunner {
  run: (command: string, ...args: ReadonlyArray<unknown>) => Promise<unknown>;
  readonly clientInfo: Readonly<Record<string, string>>;
}

/** The values of a STATUS response by name. */
type Status = Awaited<ReturnType<ImapFlow["status"]>>;

const FIRST_STATUSES = new WeakMap<ImapFlow, Status>();

/** Returns the STATUS of INBOX that came with the sign-in, once. */
export const takeFirstStatus = (client: ImapFlow): Status | undefined => {
  const status = FIRST_STATUSES.get(client);
  FIRST_STATUSES.delete(client);
  return status;
};

/**
 * Makes a client that only verifies a credential send all commands after its sign-in in one write. These are NAMESPACE
 * (which Exchange refuses after some failed sign-ins), ID (without which 163.com refuses to open a mailbox) and STATUS
 * of INBOX. imapflow would send ID before and after the sign-in, and wait for each answer.
 */
export const joinAfterSignIn = (client: ImapFlow): void => {
  const runner = client as unknown as CommandRunner;
  const run = runner.run.bind(client);
  runner.run = (command, ...args) => {
    if (command === "ID") return Promise.resolve(false);
    if (command !== "NAMESPACE") return run(command, ...args);
    delete (runner as Partial<CommandRunner>).run;
    const { capabilities } = client;
    const id = capabilities.has("ID") ? [`ID (${quotePairs(runner.clientInfo)})`] : [];
    const items = `MESSAGES UIDNEXT UIDVALIDITY${capabilities.has("CONDSTORE") ? " HIGHESTMODSEQ" : ""}`;
    const { status, take } = collectStatus();
    return inOneWrite(client, [...id, `STATUS INBOX (${items})`], take, () => run(command, ...args)).then(
      ({ answer, accepted }) => {
        if (accepted.at(-1) === true) FIRST_STATUSES.set(client, { ...status, path: "INBOX" } as Status);
        return answer;
      },
    );
  };
};

const quotePairs = (info: Readonly<Record<string, string>>): string =>
  Object.entries(info)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `"${key}" "${value}"`)
    .join(" ");
