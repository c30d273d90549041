import { describeWithChromium, describeWithDovecot, startMailHost } from "@postern/testkit";
import { startService } from "./service.ts";

/** A service with the accounts demo and friend at postern.test; their password is `demo`. */
export interface World {
  readonly base: string;
  /** The mail servers of the accounts, each as `host:port`; undefined in the sandbox. */
  readonly servers?: { readonly imap: string; readonly smtp: string };
  readonly stop: () => Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

const ACCOUNTS = ["demo@postern.test", "friend@postern.test"];
const DAY_MILLIS = 86_400_000;

const letter = (n: number): string =>
  [
    `From: "Correspondent ${n % 7}" <c${n % 7}@elsewhere.test>`,
    "To: demo@postern.test",
    `Subject: Letter ${n}`,
    `Message-ID: <letter-${n}@elsewhere.test>`,
    "",
    `This is letter ${n}.`,
    "",
  ].join("\r\n");

const letters = (count: number, first: number, daysAgo: number) =>
  Array.from({ length: count }, (_, n) => ({
    raw: letter(first + n),
    arrivedAt: Date.now() - daysAgo * DAY_MILLIS + n * 60_000,
    flags: "S",
  }));

/** Raw messages by folder, oldest first. */
export type Mails = Readonly<Record<string, ReadonlyArray<string>>>;

/** A service on a real Dovecot, with as much mail as the sandbox, and more in other folders. */
export const startOnDovecot = async (environment: Environment = {}, mails: Mails = {}): Promise<World> => {
  const host = await startMailHost({ accounts: ACCOUNTS, password: "demo" });
  await host.deliver("demo@postern.test", "INBOX", letters(130, 1, 3));
  await host.deliver("demo@postern.test", "Projects", letters(3, 1001, 9));
  for (const [folder, raws] of Object.entries(mails)) {
    const arrived = raws.map((raw, n) => ({ raw, arrivedAt: Date.now() - (raws.length - n) * 60_000 }));
    await host.deliver("demo@postern.test", folder, arrived);
  }
  try {
    const service = await startService({ IMAP_URL: host.imapUrl, SMTP_URL: host.smtpUrl, ...environment });
    const servers = { imap: new URL(host.imapUrl).host, smtp: new URL(host.smtpUrl).host };
    return { base: service.base, servers, stop: () => service.stop().then(host.stop) };
  } catch (error) {
    await host.stop();
    throw error;
  }
};

type Start = (environment?: Environment, onDovecot?: Environment) => Promise<World>;

/** Runs browser tests on a real mail server. */
export const describeOnDovecot = (name: string, body: (start: Start) => void): void => {
  describeWithDovecot(`${name}, on Dovecot`, () =>
    describeWithChromium("with a browser", () =>
      body((environment, onDovecot) => startOnDovecot({ ...environment, ...onDovecot })),
    ),
  );
};

/**
 * Runs the same browser tests twice: on the sandbox and on a real mail server. `start` takes the environment of both, and
 * what the service on the real mail server has beside.
 */
export const describeInWorlds = (name: string, body: (start: Start) => void): void => {
  describeWithChromium(`${name}, in the sandbox`, () => body((environment) => startService(environment)));
  describeOnDovecot(name, body);
};
