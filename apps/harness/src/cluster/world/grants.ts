import type { EventType } from "@postern/core/events";
import { AccountConnection } from "@postern/core/lifecycle";
import { Consents, type Grant, Grants, MailCredentials, OAuthApps } from "@postern/core/oauth";
import { MessageSender } from "@postern/core/send";
import { Context, Effect, Exit, Option, Redacted } from "effect";
import type { Cluster } from "../Cluster.ts";
import { eventsOf } from "../events-of.ts";
import type { SimulatedProvider } from "../servers/OAuthProviders.ts";
import type { Script } from "../Script.ts";
import { textOf } from "./accounts.ts";
import { APPLICATION_TAG } from "./applications.ts";

/** The interval at which users learn of lost grants once the faults are over, in milliseconds. */
const NOTICE_INTERVAL = 4_000;

/** Creates an account at each provider, and connects it to the application. */
export const connectGrants = (cluster: Cluster): void => {
  for (const provider of cluster.providers.all) {
    cluster.mail.addAccount(provider.account, "no program knows it");
    cluster.ask((ports) => Context.get(ports, OAuthApps).keep(provider.app));
    consent(cluster, provider);
  }
};

/** Adds acts in which users of accounts with grants read, send and get mail; they end grants, and consent again on request. */
export const grantActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, mail, facts, providers } = cluster;

  script.often(Math.ceil(script.minutes / 2), (number) => {
    const { account } = random.pick(providers.all)!;
    const messageId = `<grant-arrival-${number}@far.test>`;
    mail.account(account).mailbox("INBOX").append(textOf(messageId, account), timeline.now);
    facts.push({ _tag: "MailArrived", account, messageId, at: timeline.now });
  });

  script.often(Math.ceil(script.minutes / 2), (number) => {
    const { account } = random.pick(providers.all)!;
    const subject = `by token ${number}`;
    cluster.request(
      `send ${subject}`,
      (services) =>
        Context.get(services, MessageSender).send(
          account,
          { to: "friend@far.test", subject, text: "simulated" },
          subject,
        ),
      (exit) => {
        if (exit === null || Exit.isFailure(exit)) return;
        facts.push({ _tag: "SendAccepted", account, subject, key: subject, id: exit.value.id });
      },
    );
  });

  // Several requests run at once, at any nodes.
  script.often(Math.ceil(script.minutes * 2), () => {
    const { account } = random.pick(providers.all)!;
    for (let number = 0; number < 3; number++) {
      cluster.request(`sign in at the mail server of ${account}`, (services) =>
        Context.get(services, MailCredentials).of(account),
      );
    }
  });

  script.often(Math.ceil(script.minutes * 2), () => {
    const provider = random.pick(providers.all)!;
    const mood = random.pick(["slow", "slow", "down"] as const);
    cluster.trace.say(() => `the provider of ${provider.account} is ${mood}`);
    if (mood === "slow") provider.slow = random.pick([200, 3_000, 9_000]);
    else providers.fail(provider, { isDown: true }, random.between(1_000, 20_000));
  });

  if (random.chance(0.3)) {
    script.at(random.between(script.start, (script.start + script.end) / 2), () => {
      const provider = random.pick(providers.all)!;
      cluster.trace.say(() => `the provider refuses the app of ${provider.account}`);
      providers.fail(provider, { refusal: { error: "invalid_client" } }, random.between(1_000, 10_000));
    });
  }

  script.often(Math.round(script.minutes / 5), () => {
    const { account, tokens } = random.pick(providers.all)!;
    cluster.trace.say(() => `${account} revokes the consent`);
    tokens.revoke(account);
  });

  if (random.chance(0.3)) {
    script.at(random.between(script.start, script.end), () => {
      const { account, tokens } = random.pick(providers.all)!;
      cluster.trace.say(() => `the access tokens of ${account} are refused`);
      tokens.endAccess();
    });
  }

  script.often(Math.ceil(script.minutes * 4), () => consentAfterNotice(cluster));
};

/** Lets users consent again to lost grants, including grants whose loss shows only at the next refresh. */
export const recoverGrants = (cluster: Cluster): void => {
  const { timeline, providers } = cluster;
  const retries = providers.all.map(({ account }) =>
    cluster.ask((ports) => Effect.map(Context.get(ports, Grants).find(account), retryOf)),
  );
  timeline.runUntil(Math.max(timeline.now, ...retries));
  const look = () => {
    consentAfterNotice(cluster);
    timeline.after(NOTICE_INTERVAL, look);
  };
  look();
};

const retryOf = Option.match({ onNone: () => 0, onSome: ({ retryAt }: Grant) => retryAt ?? 0 });

/** Lets each user consent again whose application was informed that the consent has ended. */
const consentAfterNotice = (cluster: Cluster): void => {
  for (const provider of cluster.providers.all) {
    const events = eventsOf(cluster, provider.account);
    const count = (type: EventType) => events.filter((event) => event.type === type).length;
    if (count("account.auth_failed") > count("account.recovered")) consent(cluster, provider);
  }
};

/** Consents as a user in a browser, until the account is connected. */
const consent = (cluster: Cluster, provider: SimulatedProvider): void => {
  if (provider.isConsenting) return;
  provider.isConsenting = true;
  const { app, account, tokens } = provider;
  const browser = Redacted.make(`browser of ${account}`);
  const request = { address: account, app: app.id, tags: [APPLICATION_TAG], reach: null };

  const begin = () =>
    cluster.request(
      `begin the consent of ${account}`,
      (services) =>
        Context.get(services, Consents).begin({
          app: app.id,
          address: account,
          link: null,
          browser,
          network: "192.0.2.9",
        }),
      (exit) => {
        if (exit === null || Exit.isFailure(exit)) return again();
        const callbackUrl = tokens.consent(exit.value.url, account);
        cluster.timeline.after(1_000, () => finish(callbackUrl));
      },
    );
  const finish = (callbackUrl: string) =>
    cluster.request(
      `finish the consent of ${account}`,
      (services) =>
        Effect.gen(function* () {
          const consents = Context.get(services, Consents);
          const state = new URL(callbackUrl).searchParams.get("state")!;
          const taken = yield* consents.take(state, browser);
          const offered = yield* consents.finish(taken, state, Redacted.make(callbackUrl));
          yield* Context.get(services, AccountConnection).byGrant(request, account, offered, Effect.void);
        }),
      (exit) => {
        if (exit === null || Exit.isFailure(exit)) return again();
        provider.isConsenting = false;
      },
    );
  const again = () => void cluster.timeline.after(cluster.random.between(500, 3_000), begin);
  begin();
};
