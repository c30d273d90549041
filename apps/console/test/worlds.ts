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

/** An account that a test adds itself, at a provider that the console knows. */
export const ELSEWHERE = "casey@gmail.com";

const ACCOUNTS = ["demo@postern.test", "friend@postern.test", ELSEWHERE];
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

/** Starts a service on a real Dovecot, with as much mail as the sandbox, and more mail in other folders. */
export const startOnDovecot = async (environment: Environment = {}, mails: Mails = {}): Promise<World> => {
  const host = await startMailHost({ accounts: ACCOUNTS, password: "demo" });
  const folders = { INBOX: letters(130, 1, 3), Projects: letters(3, 1001, 9) };
  // Each folder gets all its messages in one delivery.
  for (const folder of new Set([...Object.keys(folders), ...Object.keys(mails)])) {
    const raws = mails[folder] ?? [];
    const arrived = raws.map((raw, n) => ({ raw, arrivedAt: Date.now() - (raws.length - n) * 60_000 }));
    const earlier = folders[folder as keyof typeof folders] ?? [];
    await host.deliver("demo@postern.test", folder, [...earlier, ...arrived]);
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

type Start = (environment?: Environment, onDovecot?: Environment, mails?: Mails) => Promise<World>;

/** Runs browser tests on the sandbox. `start` takes the environment of the service. */
export const describeInSandbox = (name: string, body: (start: Start) => void): void => {
  describeWithChromium(`${name}, in the sandbox`, () => body((environment) => startService(environment)));
};

/** Runs browser tests on a real mail server. */
export const describeOnDovecot = (name: string, body: (start: Start) => void): void => {
  describeWithDovecot(`${name}, on Dovecot`, () =>
    describeWithChromium("with a browser", () =>
      body((environment, onDovecot, mails) => startOnDovecot({ ...environment, ...onDovecot }, mails)),
    ),
  );
};
