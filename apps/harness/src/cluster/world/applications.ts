import type { EventType } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import { type KeyClient, KeyAuthentication, Keys } from "@postern/core/auth";
import { AccountChanges, AccountCreation, AccountRemoval } from "@postern/core/lifecycle";
import { MessageSender, type SendingKey, sendingKeyOf } from "@postern/core/send";
import { Context, Exit, Option, Redacted } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { textOf } from "./accounts.ts";
import { createEndpoint } from "./endpoints.ts";
import { repeatRequest } from "./repeat-request.ts";

const PASSWORD = "the application's secret";
/** The tag of the accounts that the application sees. */
export const APPLICATION_TAG = "guests";
const CLIENT: KeyClient = { network: "192.0.2.8", isWithin: () => true };

/** The owner of the application's endpoint. */
export const APPLICATION = {
  _tag: "Application",
  application: "app",
  reach: [`tag:${APPLICATION_TAG}`],
  notify: null,
} as const;

/** Gives the application an endpoint that no act touches. */
export const createApplication = (cluster: Cluster): void =>
  createEndpoint(cluster, APPLICATION, "https://app.sim.test/", Object.keys(EVENT_TYPES) as Array<EventType>, true);

/** Adds acts in which an application's backend manages accounts and uses keys; the operator deletes keys. */
export const applicationActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, facts, mail } = cluster;
  const guests = () => factsOf(facts, "AccountManaged").map(({ account }) => account);

  script.often(Math.ceil(script.minutes), (number) => {
    const email = `guest-${number}@sim.test`;
    mail.addAccount(email, PASSWORD);
    const request = {
      email,
      name: null,
      secret: { _tag: "Password" as const, password: Redacted.make(PASSWORD) },
      tags: [APPLICATION_TAG],
      imap: null,
      smtp: null,
    };
    repeatRequest(
      cluster,
      `manage ${email}`,
      (services) => Context.get(services, AccountCreation).create(request, [`tag:${APPLICATION_TAG}`]),
      ({ id: account }) => facts.push({ _tag: "AccountManaged", account }),
      4,
    );
  });

  let key: SendingKey | undefined;
  repeatRequest(
    cluster,
    "make the key that sends for guests",
    (services) => Context.get(services, Keys).make({ ...KEY, name: "guests", sendPerDay: 1_000 }),
    (made) => (key = sendingKeyOf(made.key)),
    4,
  );

  script.often(Math.ceil(script.minutes * 2), (number) => {
    const [account, by] = [random.pick(guests()), key];
    if (account === undefined || by === undefined) return;
    mail
      .account(account)
      .mailbox("INBOX")
      .append(textOf(`<guest-arrival-${number}@far.test>`, account), timeline.now);
    cluster.request(`send for ${account}`, (services) =>
      Context.get(services, MessageSender).send(
        account,
        { to: `guest-of-${number}@far.test`, subject: `of a guest ${number}`, text: "simulated" },
        `guest-key-${number}`,
        by,
      ),
    );
  });

  script.often(Math.ceil(script.minutes), () => {
    const account = random.pick(guests());
    if (account === undefined) return;
    const isPaused = random.chance(0.5);
    if (!isPaused) facts.push({ _tag: "ResumeAsked", account, at: timeline.now });
    cluster.request(
      `${isPaused ? "pause" : "resume"} ${account}`,
      (services) => Context.get(services, AccountChanges).change(account, { paused: isPaused }, null),
      (exit) => {
        if (isPaused && exit !== null && Exit.isSuccess(exit)) {
          facts.push({ _tag: "AccountPaused", account, at: timeline.now });
        }
      },
    );
  });

  script.often(Math.ceil(script.minutes / 2), () => {
    const account = random.pick(guests());
    if (account === undefined || factsOf(facts, "RemovalAsked").some((fact) => fact.account === account)) return;
    facts.push({ _tag: "RemovalAsked", account });
    repeatRequest(
      cluster,
      `remove ${account}`,
      (services) => Context.get(services, AccountRemoval).remove(account),
      () => facts.push({ _tag: "AccountRemoved", account, at: timeline.now }),
    );
  });

  keyActs(script);
};

/** Resumes every account that may be paused. */
export const resumeGuests = (cluster: Cluster): void => {
  const { facts, timeline } = cluster;
  const removed = new Set(factsOf(facts, "RemovalAsked").map(({ account }) => account));
  for (const { account } of factsOf(facts, "AccountManaged")) {
    if (removed.has(account)) continue;
    facts.push({ _tag: "ResumeAsked", account, at: timeline.now });
    repeatRequest(cluster, `resume ${account}`, (services) =>
      Context.get(services, AccountChanges).change(account, { paused: false }, null),
    );
  }
};

const KEY = {
  application: APPLICATION.application,
  scopes: ["mail:send"] as const,
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: 100,
  notify: null,
};

const keyActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, facts } = cluster;

  script.often(Math.ceil(script.minutes), (number) => {
    repeatRequest(
      cluster,
      `make key ${number}`,
      (services) => Context.get(services, Keys).make({ ...KEY, name: `key ${number}` }),
      ({ key, text }) => facts.push({ _tag: "KeyMade", keyId: key.id, text: Redacted.value(text!) }),
      4,
    );
  });

  script.often(Math.ceil(script.minutes * 4), () => {
    const key = random.pick(factsOf(facts, "KeyMade"));
    if (key === undefined) return;
    const askedAt = timeline.now;
    const text = random.chance(0.1) ? `${key.text.slice(0, -1)}!` : key.text;
    cluster.request(
      `use key ${key.keyId}`,
      (services) => Context.get(services, KeyAuthentication).holderOf(text, () => CLIENT),
      (exit) => {
        if (exit !== null && Exit.isSuccess(exit) && Option.isSome(exit.value)) {
          facts.push({ _tag: "KeyAccepted", keyId: key.keyId, askedAt });
        }
      },
    );
  });

  script.often(Math.ceil(script.minutes), () => {
    const key = random.pick(factsOf(facts, "KeyMade"));
    if (key === undefined) return;
    cluster.request(
      `delete key ${key.keyId}`,
      (services) => Context.get(services, Keys).remove(key.keyId),
      (exit) => {
        if (exit !== null && Exit.isSuccess(exit))
          facts.push({ _tag: "KeyDeleted", keyId: key.keyId, at: timeline.now });
      },
    );
  });
};
