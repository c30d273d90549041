import type { TokenPair } from "@postern/core/auth";
import { SignIn } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { repeatRequest } from "./repeat-request.ts";

/** The initial password of every account. */
export const PASSWORD = "correct horse battery staple";

/** The accounts whose users sign in with `PASSWORD` until they change it. */
export const USERS: ReadonlyArray<AccountId> = ["robin@sim.test", "kim@sim.test"].map((address) => AccountId(address));

const CLIENT = { network: "192.0.2.7", userAgent: "simulation" };

/** Creates the users' accounts on the mail server, with mail from before, and signs them in. */
export const signInUsers = (cluster: Cluster): void => {
  for (const account of USERS) {
    const inbox = cluster.mail.addAccount(account, PASSWORD).mailbox("INBOX");
    for (let number = 0; number < 4; number++) {
      const messageId = `<before-${number}.${account}>`;
      inbox.append(textOf(messageId, account), cluster.timeline.now - 60_000);
      cluster.facts.push({ _tag: "MailPresent", account, messageId });
    }
    signIn(cluster, account);
  }
};

/** Returns the password that the mail server accepts now. */
const passwordOf = ({ facts }: Cluster, account: AccountId): string =>
  factsOf(facts, "PasswordChanged").findLast((fact) => fact.account === account)?.password ?? PASSWORD;

/** Signs a user in with the current password. */
export const signIn = (cluster: Cluster, account: AccountId, answered?: (pair: TokenPair) => void): void =>
  repeatRequest(
    cluster,
    `sign in ${account}`,
    (services) =>
      Effect.suspend(() => {
        const password = Redacted.make(passwordOf(cluster, account));
        return Context.get(services, SignIn).withPassword(account, password, CLIENT);
      }),
    answered,
  );

/** Signs all users in. */
export const signInAgain = (cluster: Cluster): void => {
  for (const account of USERS) signIn(cluster, account);
};

/** Adds acts in which a user changes the password at the mail provider, and signs in with the new one later. */
export const passwordActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, mail, facts } = cluster;
  script.often(Math.round(script.minutes / 4), (number) => {
    const account = random.pick(USERS)!;
    const password = `${PASSWORD} ${number}`;
    cluster.trace.say(() => `${account} changes the password`);
    mail.addAccount(account, password);
    facts.push({ _tag: "PasswordChanged", account, password });
    timeline.after(random.between(1_000, 60_000), () => signIn(cluster, account));
  });
};

/** Returns a message in RFC 5322. */
export const textOf = (messageId: string, to: string): Uint8Array =>
  new TextEncoder().encode(
    `Message-ID: ${messageId}\r\nFrom: friend@far.test\r\nTo: ${to}\r\nSubject: ${messageId}\r\n\r\nhello\r\n`,
  );
