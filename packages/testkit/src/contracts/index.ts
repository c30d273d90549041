import { type Layer, Struct } from "effect";
import { accountsStores } from "./accounts/index.ts";
import { assistantsStores } from "./assistants/index.ts";
import { auditStores } from "./audit/index.ts";
import { authStores } from "./auth/index.ts";
import { bouncesStores } from "./bounces/index.ts";
import { creationsStores } from "./creations/index.ts";
import { draftsStores } from "./drafts/index.ts";
import { eventsStores } from "./events/index.ts";
import { foldersStores } from "./folders/index.ts";
import { oauthStores } from "./oauth/index.ts";
import { sendStores } from "./send/index.ts";
import { sharedStores } from "./shared/index.ts";
import { watchStores } from "./watch/index.ts";
import { webhooksStores } from "./webhooks/index.ts";

export * from "./accounts/index.ts";
export * from "./assistants/index.ts";
export * from "./audit/index.ts";
export * from "./auth/index.ts";
export * from "./bounces/index.ts";
export * from "./creations/index.ts";
export * from "./drafts/index.ts";
export * from "./events/index.ts";
export * from "./folders/index.ts";
export * from "./mail/index.ts";
export * from "./messages/index.ts";
export * from "./oauth/index.ts";
export * from "./send/index.ts";
export * from "./shared/index.ts";
export * from "./watch/index.ts";
export * from "./webhooks/index.ts";

/**
 * A suite of tests that every implementation of `Port` passes. `live` also provides the ports through which the suite
 * observes the implementation.
 */
export type Contract<Port> = (name: string, live: Layer.Layer<Port, unknown>) => void;

type Contracts<Ports> = { readonly [P in keyof Ports]: Contract<Ports[P]> };

const runEach = <Ports>(
  contracts: Contracts<Ports>,
  where: string,
  live: Layer.Layer<Ports[keyof Ports], unknown>,
): void => {
  for (const port in contracts) contracts[port](`${port} ${where}`, live);
};

/**
 * A function that runs the contract of each port of a domain on one layer. The type has a name so that its declaration
 * compiles.
 */
interface ContractRunner<Domains> {
  <D extends keyof Domains>(
    domain: D,
    where: string,
    live: Layer.Layer<{ [K in D]: Domains[K][keyof Domains[K]] }[D], unknown>,
  ): void;
}

const runnerOf =
  <Domains>(domains: { readonly [D in keyof Domains]: Contracts<Domains[D]> }): ContractRunner<Domains> =>
  (domain, where, live) =>
    runEach<Domains[typeof domain]>(domains[domain], where, live);

/** The contracts of every store, by domain and port. */
export const storeContracts = {
  accounts: accountsStores,
  assistants: assistantsStores,
  audit: auditStores,
  auth: authStores,
  bounces: bouncesStores,
  creations: creationsStores,
  drafts: draftsStores,
  events: eventsStores,
  folders: foldersStores,
  oauth: oauthStores,
  send: sendStores,
  shared: sharedStores,
  watch: watchStores,
  webhooks: webhooksStores,
};

/** The domains with stores. */
export const STORE_DOMAINS = Struct.keys(storeContracts);

/** Runs the contract of each store of a domain: `runContracts("auth", "in memory", live)`. */
export const runContracts = runnerOf(storeContracts);
