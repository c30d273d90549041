import { WebhookEndpoints, WebhookTrial } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { ModelEndpoint, type ModelSettings } from "./ModelEndpoint.ts";
import { applyConduct, setConduct } from "./receiver-conduct.ts";
import { compareEndpoint, ownerIn } from "./webhook-requests.ts";
import type { WebhookModel } from "./WebhookModel.ts";

const TYPES = ["email.sent", "folder.created", "folder.renamed", "webhook.disabled", "email.bounced"] as const;
const DEFAULTS = {
  folders: ["inbox"],
  description: "",
  disablePolicy: "literal",
  honourRetryAfter: false,
  ordered: false,
  maxInFlight: 4,
} as const;
const OVERLAPS = { "0": 0, "20s": 20 * SECOND, "10m": 10 * MINUTE, "5h": 5 * HOUR, "7d": 7 * DAY, "9d": 7 * DAY };
/** Settings that are refused. */
const WRONG = [
  { events: [] },
  { events: ["email.unknown"] },
  { maxInFlight: 0 },
  { maxInFlight: 11 },
  { maxInFlight: 1.5 },
  { description: "x".repeat(501) },
  { disablePolicy: "never" as never },
  { folders: [] },
  { folders: ["nowhere"] },
  { url: "http://visit.sim.test/" },
  { url: "no address" },
  { url: "ftp://visit.sim.test/" },
  { url: "https://@visit.sim.test/" },
  { url: "https://localhost/" },
];

/** The acts of an owner of endpoints. [S7.6-1] [S7.6-2] [S7.6-3] [S7.6-4] [S7.6-5] [S7.6-10] [S7.6-11] */
export const endpointActs = (
  visit: Visit,
  cluster: Cluster,
  model: WebhookModel,
  stranger: WebhookModel,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const owner = ownerIn(model);
  let count = 0;
  const ask = <A, E>(name: string, use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => use(Context.get(services, WebhookEndpoints)));
  const tagOf = <A, E extends { readonly _tag: string }>(
    name: string,
    use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>,
  ) => visit.tagOf(name, (services) => use(Context.get(services, WebhookEndpoints)));
  const one = (
    name: string,
    weight: number,
    run: (endpoint: ModelEndpoint) => Effect.Effect<unknown, unknown>,
  ): Act => ({
    name,
    weight,
    isPossible: () => model.listed.length > 0,
    run: Effect.suspend(() => {
      const endpoint = random.pick(model.listed)!;
      return Effect.gen(function* () {
        yield* model.untilSettled();
        yield* run(endpoint);
        if (!endpoint.isRemoved) yield* compareEndpoint(visit, model, endpoint);
      });
    }),
  });
  /** Chooses some settings of each kind. */
  const choose = (): Partial<ModelSettings> => {
    const all: ModelSettings = {
      url: `https://visit.sim.test/walked-${++count}`,
      events: random.some(TYPES, random.between(1, TYPES.length + 1)),
      folders: random.pick([["inbox"], ["*"], ["inbox", "archive"]]),
      description: random.pick(["", "about it", "x".repeat(500)]),
      disablePolicy: random.pick(["literal", "no_success"] as const),
      honourRetryAfter: random.chance(0.5),
      ordered: random.chance(0.5),
      maxInFlight: random.pick([1, 2, 4, 10]),
    };
    return Object.fromEntries(random.some(Object.entries(all), random.between(0, 5)));
  };

  const create = Effect.gen(function* () {
    const {
      url = `https://visit.sim.test/walked-${++count}`,
      events = ["email.sent", "folder.created"],
      ...more
    } = choose();
    yield* model.untilSettled();
    const at = visit.now;
    const made = yield* ask("create", (all) => all.create(owner, { url, events, ...more } as never));
    const endpoint = new ModelEndpoint(
      made.endpoint.id,
      at,
      { url, events, ...DEFAULTS, ...more },
      Redacted.value(made.secret!),
      cluster.ladder,
    );
    model.endpoints.push(endpoint);
    yield* compareEndpoint(visit, model, endpoint);
  });

  return [
    {
      name: "create an endpoint",
      weight: 3,
      isPossible: () => model.listed.length < 3,
      run: Effect.suspend(() => create),
    },
    one("edit an endpoint", 4, (endpoint) =>
      Effect.gen(function* () {
        const changes = choose();
        yield* ask("edit", (all) => all.edit(owner, endpoint.id, changes as never));
        if (endpoint.settings.ordered && changes.ordered === false) model.turnsChanged();
        Object.assign(endpoint.settings, changes);
        applyConduct(cluster, endpoint);
      }),
    ),
    one("edit wrongly", 1, (endpoint) =>
      Effect.gen(function* () {
        const wrong = random.pick(WRONG)!;
        const tag = yield* tagOf("edit", (all) => all.edit(owner, endpoint.id, { ...choose(), ...wrong } as never));
        visit.same(
          tag,
          "url" in wrong ? "EndpointUrlRefused" : "InputInvalid",
          `an edit of an endpoint to ${JSON.stringify(wrong)}`,
        );
        const other = yield* tagOf("edit", (all) => all.edit(owner, endpoint.id, choose() as never, () => false));
        visit.same(other, "EndpointChanged", "an edit of another version of an endpoint");
      }),
    ),
    one("disable", 4, (endpoint) =>
      Effect.gen(function* () {
        yield* ask("disable", (all) => all.disable(owner, endpoint.id));
        endpoint.disable("owner", visit.now);
      }),
    ),
    one("enable", 1, (endpoint) =>
      Effect.gen(function* () {
        yield* ask("enable", (all) => all.enable(owner, endpoint.id));
        endpoint.enable();
      }),
    ),
    {
      name: "enable a disabled one",
      weight: 3,
      isPossible: () => model.listed.some(({ isEnabled }) => !isEnabled),
      run: Effect.suspend(() => {
        const endpoint = random.pick(model.listed.filter(({ isEnabled }) => !isEnabled))!;
        return Effect.gen(function* () {
          yield* model.untilSettled();
          yield* ask("enable", (all) => all.enable(owner, endpoint.id));
          endpoint.enable();
          yield* compareEndpoint(visit, model, endpoint);
        });
      }),
    },
    one("rotate the secret", 2, (endpoint) =>
      Effect.gen(function* () {
        const overlap = random.pick(Object.keys(OVERLAPS) as ReadonlyArray<keyof typeof OVERLAPS>);
        const isDefault = random.chance(0.2);
        const { secret } = yield* ask("rotate", (all) =>
          all.rotateSecret(owner, endpoint.id, isDefault ? undefined : overlap),
        );
        endpoint.rotate(Redacted.value(secret), isDefault ? DAY : OVERLAPS[overlap!], visit.now);
        const wrong = random.pick(["7", "1w", "-1s", "1.5h"]);
        visit.same(
          yield* tagOf("rotate", (all) => all.rotateSecret(owner, endpoint.id, wrong)),
          "InputInvalid",
          `an overlap of ${wrong}`,
        );
      }),
    ),
    one("test", 1, (endpoint) =>
      Effect.gen(function* () {
        if (endpoint.conduct === null) return;
        const type = random.pick([undefined, ...TYPES, "email.unknown"]);
        const before = cluster.receivers.posts.length;
        const trial = yield* Effect.result(
          visit.ask("test", (services) => Context.get(services, WebhookTrial).send(owner, endpoint.id, type)),
        );
        if (type === "email.unknown")
          return visit.same(
            trial._tag === "Failure" && trial.failure._tag,
            "InputInvalid",
            "a test of an unknown type",
          );
        if (trial._tag === "Failure") return visit.expect(false, `a test of ${type} is refused: ${trial.failure._tag}`);
        visit.same(
          [trial.success.delivered, trial.success.status],
          [endpoint.conduct === 200, endpoint.conduct],
          "the answer to a test",
        );
        yield* visit.wait(5);
        const post = cluster.receivers.posts.slice(before).find(({ url }) => url === endpoint.settings.url);
        const { event, test } = JSON.parse(new TextDecoder().decode(post!.post.body));
        visit.same([event, test], [type ?? "webhook.test", true], "the body of a test");
      }),
    ),
    one("change the receiver", 5, (endpoint) =>
      Effect.sync(() => {
        setConduct(cluster, model, endpoint, random.pick([200, 200, 500, 500, null] as const));
      }),
    ),
    one("remove an endpoint", 1, (endpoint) =>
      Effect.gen(function* () {
        if (!(yield* model.untilCertain())) return;
        visit.same(
          yield* tagOf("remove", (all) => all.remove(owner, endpoint.id, () => false)),
          "EndpointChanged",
          "the removal of another version",
        );
        yield* ask("remove", (all) => all.remove(owner, endpoint.id));
        model.removed(endpoint);
        visit.same(
          yield* tagOf("find", (all) => all.find(owner, endpoint.id)),
          "EndpointNotFound",
          "an endpoint that was removed",
        );
      }),
    ),
    one("ask for the endpoint of another account", 1, ({ id }) =>
      Effect.gen(function* () {
        const other = ownerIn(stranger);
        const tags = [
          yield* tagOf("find", (all) => all.find(other, id)),
          yield* tagOf("edit", (all) => all.edit(other, id, { description: "mine" })),
          yield* tagOf("disable", (all) => all.disable(other, id)),
          yield* tagOf("rotate", (all) => all.rotateSecret(other, id)),
          yield* tagOf("remove", (all) => all.remove(other, id)),
          yield* visit.tagOf("test", (services) => Context.get(services, WebhookTrial).send(other, id)),
        ];
        for (const tag of tags) visit.same(tag, "EndpointNotFound", "a request about another account's endpoint");
      }),
    ),
  ];
};
