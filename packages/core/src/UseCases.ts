import { Effect, Layer } from "effect";
import { accounts } from "./accounts/neighbours.ts";
import { assistants } from "./assistants/neighbours.ts";
import { arrivals } from "./arrivals/neighbours.ts";
import { audit } from "./audit/neighbours.ts";
import { auth } from "./auth/neighbours.ts";
import { bounces } from "./bounces/neighbours.ts";
import { creations } from "./creations/neighbours.ts";
import { drafts } from "./drafts/neighbours.ts";
import { events } from "./events/neighbours.ts";
import { folders } from "./folders/neighbours.ts";
import { lifecycle } from "./lifecycle/neighbours.ts";
import { messages } from "./messages/neighbours.ts";
import { oauth } from "./oauth/index.ts";
import { send } from "./send/neighbours.ts";
import { AllAccountData } from "./shared/neighbours.ts";
import { watch } from "./watch/neighbours.ts";
import { webhooks } from "./webhooks/neighbours.ts";
import { WebhookSubscriber } from "./webhooks/index.ts";

/** The account data of every domain. An erasure starts with the last domain, because later domains refer to earlier ones. */
export const AccountDataOfDomains = Layer.effect(
  AllAccountData,
  Effect.all([
    bounces.data,
    webhooks.data,
    drafts.data,
    send.data,
    folders.data,
    assistants.data,
    accounts.data,
    oauth.data,
    watch.data,
    auth.data,
    creations.data,
    events.data,
  ]),
).pipe(Layer.provide(events.layer));

/**
 * All use cases, built on the ports' adapters. Each domain uses the domains listed after it. Building the layer starts
 * nothing: the app runs `workers`.
 */
export const UseCases = lifecycle.layer.pipe(
  Layer.provideMerge(arrivals.layer),
  Layer.provideMerge(bounces.layer),
  Layer.provideMerge(webhooks.layer),
  Layer.provideMerge(drafts.layer),
  Layer.provideMerge(send.layer),
  Layer.provideMerge(messages.layer),
  Layer.provideMerge(folders.layer),
  Layer.provideMerge(assistants.layer),
  Layer.provideMerge(accounts.layer),
  Layer.provideMerge(watch.layer),
  Layer.provideMerge(auth.layer),
  Layer.provideMerge(audit.layer),
  Layer.provideMerge(creations.layer),
  Layer.provideMerge(events.layer),
  Layer.provide(AccountDataOfDomains),
  Layer.provide(WebhookSubscriber),
);

/** The workers of all domains. */
export const workers = Effect.map(
  Effect.all([
    accounts.workers,
    folders.workers,
    send.workers,
    drafts.workers,
    webhooks.workers,
    bounces.workers,
    arrivals.workers,
    lifecycle.workers,
    audit.workers,
  ]),
  (all) => all.flat(),
);

/** The sweeps of all domains, to run at start and once an hour. */
export const sweeps = Effect.map(
  Effect.all([
    lifecycle.sweeps,
    webhooks.sweeps,
    auth.sweeps,
    accounts.sweeps,
    messages.sweeps,
    folders.sweeps,
    send.sweeps,
    drafts.sweeps,
    oauth.sweeps,
    assistants.sweeps,
    arrivals.sweeps,
    audit.sweeps,
    creations.sweeps,
    events.sweeps,
  ]),
  (all) => all.flat(),
);
