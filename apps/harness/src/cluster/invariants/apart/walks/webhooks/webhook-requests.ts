import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { ModelEndpoint } from "./ModelEndpoint.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** The difference of two times that count as equal. */
const SAME = 3 * SECOND;

/** Returns the account of a model as the owner of its endpoints. */
export const ownerIn = ({ account }: WebhookModel) => ({ _tag: "Account", account }) as const;

/** Compares each field of an endpoint with the model. [S7.6-10] */
export const compareEndpoint = (
  visit: Visit,
  model: WebhookModel,
  known: ModelEndpoint,
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    model.expectEnds(model.followEvents());
    model.observe();
    const { endpoint, secretHint } = yield* visit.ask("find", (services) =>
      Context.get(services, WebhookEndpoints).find(ownerIn(model), known.id),
    );
    const { url, events, folders, description, disablePolicy, honourRetryAfter, ordered, maxInFlight } = endpoint;
    const found = {
      url,
      events: [...events],
      folders: [...folders],
      description,
      disablePolicy,
      honourRetryAfter,
      ordered,
      maxInFlight,
    };
    const { settings } = known;
    visit.same(
      found,
      Object.fromEntries(Object.keys(found).map((name) => [name, settings[name as keyof typeof settings]])),
      "the settings of an endpoint",
    );
    visit.expect(Math.abs(endpoint.createdAt - known.createdAt) < SAME, "the creation of an endpoint has another time");
    if (model.isUncertain()) return;
    visit.same(
      [endpoint.state, endpoint.disabledReason, endpoint.consecutiveFailures, endpoint.lastStatus],
      [
        known.isEnabled ? "enabled" : "disabled",
        known.disabledReason,
        known.failures,
        known.lastEnd.isUncertain ? endpoint.lastStatus : known.lastStatus,
      ],
      `the state, the reason, the failures and the last status of ${url}`,
    );
    visit.expect(
      known.disabledAt === null
        ? endpoint.disabledAt === null
        : Math.abs((endpoint.disabledAt ?? 0) - known.disabledAt) < SAME,
      "an endpoint was disabled at another time",
    );
    const [secret] = known.secretsAt(visit.now);
    visit.expect(
      secretHint === `…${secret!.slice(-4)}` || known.isRotating(visit.now),
      `the hint at the secret of ${url} is ${secretHint}`,
    );
  });

const STATES = ["pending", "held", "in_flight", "succeeded", "exhausted", "cancelled"] as const;
const TYPES = ["email.sent", "folder.created", "webhook.disabled"] as const;

/** Compares the deliveries of each endpoint, by pages of random sizes and with filters. [S7.6-6] */
export const compareDeliveries = (visit: Visit, cluster: Cluster, model: WebhookModel): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { random } = cluster;
    yield* visit.wait(SECOND);
    model.expectEnds(model.followEvents());
    model.observe();
    if (model.isUncertain()) return;
    for (const endpoint of model.listed) {
      const [state, event] = [random.pick([undefined, ...STATES]), random.pick([undefined, undefined, ...TYPES])];
      const limit = random.pick([1, 2, 3, undefined]);
      const found: Array<string> = [];
      for (let cursor: string | undefined; ;) {
        const page = yield* visit.ask("deliveries", (services) =>
          Context.get(services, WebhookDeliveries).page(ownerIn(model), endpoint.id, { state, event, cursor, limit }),
        );
        for (const one of page.deliveries)
          if (model.isKept({ at: one.delivery.occurredAt }))
            found.push(`${one.delivery.type} ${one.delivery.eventId} ${one.state}`);
        visit.expect(page.deliveries.length <= (limit ?? 50), "a page of deliveries has more entries than its limit");
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      const promised = endpoint.deliveries
        .filter((one) => model.isKept(one.event))
        .filter(
          (one) =>
            (state ?? endpoint.stateOf(one)) === endpoint.stateOf(one) && (event ?? one.event.type) === one.event.type,
        )
        .map((one) => `${one.event.type} ${one.event.id} ${endpoint.stateOf(one)}`);
      visit.same(
        found.toSorted(),
        promised.toSorted(),
        `the deliveries of ${endpoint.settings.url} in state ${state} of ${event}`,
      );
    }
    const found: Array<string> = [];
    const limit = random.pick([1, 2, undefined]);
    for (let cursor: string | undefined; ;) {
      const page = yield* visit.ask("endpoints", (services) =>
        Context.get(services, WebhookEndpoints).page(ownerIn(model), { limit, cursor }),
      );
      found.push(...page.items.map(({ endpoint }) => endpoint.id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    visit.same(
      found,
      model.listed.map(({ id }) => id),
      "the endpoints, the oldest first",
    );
    model.checkEnds();
  });
