import { Keys } from "@postern/core/auth";
import type { CreationKey } from "@postern/core/creations";
import { Drafts } from "@postern/core/drafts";
import { FolderManagement } from "@postern/core/folders";
import { AccountCreation } from "@postern/core/lifecycle";
import { Identities } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { NodeServices } from "../nodes/NodeServices.ts";
import type { Script } from "../Script.ts";
import { PASSWORD, signIn } from "./accounts.ts";
import { repeatRequest } from "./repeat-request.ts";

/** The account in which resources are created with an `Idempotency-Key`; no other act changes it. */
export const CREATOR = AccountId("creator@sim.test");

/** Creates a resource of this name under a key; returns its id. */
type Create = (
  services: Context.Context<NodeServices>,
  name: string,
  key: CreationKey,
) => Effect.Effect<string, unknown>;

const idOf = <E>(made: Effect.Effect<{ readonly id: string }, E>) => Effect.map(made, ({ id }) => id);

/** Every creation with a key (spec 2.6). */
export const CREATIONS: Readonly<Record<string, Create>> = {
  folder: (services, name, key) =>
    idOf(Context.get(services, FolderManagement).create(CREATOR, { name, parentId: null }, key)),
  draft: (services, subject, key) => idOf(Context.get(services, Drafts).create(CREATOR, { subject }, key)),
  identity: (services, name, key) =>
    idOf(Context.get(services, Identities).create(CREATOR, { address: `${name}@far.test`, name }, true, key)),
  endpoint: (services, name, key) =>
    Context.get(services, WebhookEndpoints)
      .create({ _tag: "Account", account: CREATOR }, { url: `https://${name}.sim.test/`, events: ["email.sent"] }, key)
      .pipe(Effect.map(({ endpoint }) => endpoint.id)),
  key: (services, name, key) =>
    Context.get(services, Keys)
      .make({ ...KEY, name }, key)
      .pipe(Effect.map((made) => made.key.id)),
  account: (services, name, { caller, key }) =>
    idOf(
      Context.get(services, AccountCreation).create(
        {
          email: `${name}@sim.test`,
          name: null,
          secret: { _tag: "Password", password: Redacted.make(PASSWORD) },
          tags: [],
          imap: null,
          smtp: null,
        },
        null,
        { caller, key },
      ),
    ),
};

const KEY = {
  application: null,
  scopes: ["mail:read"],
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: null,
  notify: null,
} as const;

/** Signs the account in. */
export const signInCreator = (cluster: Cluster): void => {
  cluster.mail.addAccount(CREATOR, PASSWORD);
  signIn(cluster, CREATOR);
};

/** Adds acts in which a client creates resources and repeats unanswered requests; some requests are sent twice at once. */
export const creationActs = (script: Script): void => {
  const { cluster } = script;
  const { random, facts, mail } = cluster;
  script.often(Math.ceil(script.minutes * 2), (number) => {
    const kind = random.pick(Object.keys(CREATIONS))!;
    const name = `created-${kind}-${number}`;
    if (kind === "account") mail.addAccount(`${name}@sim.test`, PASSWORD);
    const key = { caller: CREATOR, key: name, account: CREATOR };
    facts.push({ _tag: "CreationAsked", kind, name });
    for (let copies = random.chance(0.5) ? 2 : 1; copies > 0; copies--) {
      repeatRequest(
        cluster,
        `create ${name}`,
        (services) => CREATIONS[kind]!(services, name, key),
        (id) => facts.push({ _tag: "Created", kind, name, id }),
      );
    }
  });
};
