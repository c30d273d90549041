import { setTimeout as sleep } from "node:timers/promises";
import { openConversation } from "@postern/testkit";
import { expect } from "vitest";
import { mailReceiver } from "./mail-receiver.ts";
import { post } from "./server-process.ts";
import { addEndpoint } from "./webhook-nodes.ts";

const MAILS = 10;
const PASSWORD = "pass";

interface MailServer {
  readonly port: number;
  readonly setPassword: (user: string, password: string) => Promise<void>;
}

const mail = (subject: string) =>
  Buffer.from(`From: a@example.org\r\nMessage-ID: <${subject}@example.org>\r\nSubject: ${subject}\r\n\r\nText.\r\n`);

/** Delivers bursts of ten messages to several accounts with ordered endpoints; expects each burst in order. */
export const orderedBursts = async (base: string, dovecot: MailServer, accounts: number, bursts: number) => {
  const hook = await mailReceiver();
  const oneAccount = async (n: number): Promise<void> => {
    const user = `u${n}@x.test`;
    await dovecot.setPassword(user, PASSWORD);
    const session = await openConversation("127.0.0.1", dovecot.port, user, PASSWORD);
    const login = await post(base, "/api/auth/mobile-login", { email: user, password: PASSWORD });
    const { token } = (await login.json()) as { readonly token: string };
    await addEndpoint(base, token, { url: `${hook.url}/${n}`, events: ["email.received"], ordered: true });
    const mine = () => hook.got.filter(({ path }) => path === `/${n}`);
    for (let burst = 0; burst < bursts; burst++) {
      for (let one = 0; one < MAILS; one++) await session.command("APPEND INBOX", mail(`${n}-${burst}-${one}`));
      const due = performance.now() + 120_000;
      while (mine().length < (burst + 1) * MAILS && performance.now() < due) await sleep(20);
      const subjects = mine()
        .slice(burst * MAILS)
        .map(({ data }) => data.subject);
      expect(subjects).toEqual(Array.from({ length: MAILS }, (_, one) => `${n}-${burst}-${one}`));
    }
    session.close();
  };
  try {
    await Promise.all(Array.from({ length: accounts }, (_, n) => oneAccount(n)));
  } finally {
    hook.close();
  }
};
