import { AccountChanges, AccountRemoval } from "@postern/core/lifecycle";
import { Identities } from "@postern/core/send";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Operator } from "./operator.ts";

const stale = () => false;

/** A request that names a version which is not the current one changes nothing. */
export const nameVersions = ({
  visit,
  keys,
  tagOf,
  make,
  find,
  present,
  application,
}: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { key, text } = yield* make("versions");
    const profile = { displayName: "Versions" };
    yield* keys((all) => all.changeApplication("versions", profile));
    const ofKeys = [
      yield* tagOf((all) => all.change(key.id, { name: "stale" }, stale)),
      yield* tagOf((all) => all.remove(key.id, "cancel", stale)),
      yield* tagOf((all) => all.changeApplication("versions", { displayName: "stale" }, stale)),
    ];
    visit.same(
      ofKeys,
      ["KeyChanged", "KeyChanged", "ApplicationChanged"],
      "requests of an operator about old versions",
    );
    const now = [(yield* find(key.id))?.name, yield* present(text), (yield* application("versions"))?.displayName];
    visit.same(now, [key.name, "accepted", "Versions"], "a key and its application after requests about old versions");

    const account = yield* visit.signUp("versions");
    const owner = { _tag: "Account", account } as const;
    const [alias, endpoint] = [
      yield* visit.ask("alias", (services) =>
        Context.get(services, Identities).create(account, { address: "versions@far.test", name: "Kept" }, true),
      ),
      yield* visit.ask("endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(owner, {
          url: "https://versions.sim.test/",
          events: ["email.sent"],
        }),
      ),
    ];
    const refused = [
      yield* visit.tagOf("change", (services) =>
        Context.get(services, AccountChanges).change(account, { name: "stale" }, null, stale),
      ),
      yield* visit.tagOf("remove", (services) => Context.get(services, AccountRemoval).removeIf(account, stale)),
      yield* visit.tagOf("change", (services) =>
        Context.get(services, Identities).change(account, alias.id, { name: "stale" }, stale),
      ),
      yield* visit.tagOf("remove", (services) => Context.get(services, Identities).remove(account, alias.id, stale)),
      yield* visit.tagOf("remove", (services) =>
        Context.get(services, WebhookEndpoints).remove(owner, endpoint.endpoint.id, stale),
      ),
    ];
    const tags = ["AccountChanged", "AccountChanged", "IdentityChanged", "IdentityChanged", "EndpointChanged"];
    visit.same(refused, tags, "requests of a user about old versions");
    const left = yield* visit.ask("list", (services) =>
      Effect.all([
        Context.get(services, Identities).page(account, {}),
        Context.get(services, WebhookEndpoints).page(owner, {}),
      ]),
    );
    const names = left[0].items.map(({ name }) => name).includes("Kept");
    visit.same([names, left[1].items.length], [true, 1], "the data of a user after requests about old versions");
  });

/** Keys of an application list its endpoints; a key changes those alone whose reach its own contains. */
export const reachEndpoints = ({ visit }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const ownerOf = (reach: ReadonlyArray<string> | null, application = "reaching") =>
      ({ _tag: "Application", application, reach, notify: null }) as const;
    const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    const wide = ["*@sim.test", "tag:one", "tag:two"];
    const url = "https://reaching.sim.test/";
    const { endpoint } = yield* endpoints((all) => all.create(ownerOf(wide), { url, events: ["account.added"] }));
    const { endpoint: small } = yield* endpoints((all) =>
      all.create(ownerOf(["tag:one"]), { url, events: ["account.added"] }),
    );
    const mayChange = (id: string, reach: ReadonlyArray<string> | null, application?: string) =>
      Effect.gen(function* () {
        const owner = ownerOf(reach, application);
        const asked = [
          (all: WebhookEndpoints["Service"]) => all.disable(owner, id),
          (all: WebhookEndpoints["Service"]) => all.enable(owner, id),
          (all: WebhookEndpoints["Service"]) => all.rotateSecret(owner, id),
        ];
        const tags = yield* Effect.forEach(asked, (use) =>
          visit.tagOf("endpoints", (services): Effect.Effect<unknown, { readonly _tag: string }> =>
            use(Context.get(services, WebhookEndpoints)),
          ),
        );
        return [...new Set(tags)];
      });
    const cases = [
      [endpoint.id, null, ["Answered"]],
      [endpoint.id, wide, ["Answered"]],
      [endpoint.id, ["tag:one", "tag:two"], ["EndpointNotFound"]],
      [endpoint.id, ["*@sim.test", "tag:one"], ["EndpointNotFound"]],
      [small.id, ["tag:one"], ["Answered"]],
      [small.id, ["tag:one", "tag:two"], ["Answered"]],
      [small.id, ["*@sim.test"], ["EndpointNotFound"]],
    ] as const;
    for (const [id, reach, promised] of cases)
      visit.same(yield* mayChange(id, reach), promised, `changes of an endpoint by a key for ${JSON.stringify(reach)}`);
    visit.same(yield* mayChange(small.id, null, "other"), ["EndpointNotFound"], "changes by another application");
    const listed = yield* endpoints((all) => all.page(ownerOf(["tag:three"]), {}));
    visit.same(listed.items.length, 2, "the endpoints that any key of an application lists");
  });
