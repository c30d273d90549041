import { Identities } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";
import { mailedLinks } from "../apart/walks/identities/mailed-links.ts";
import type { Crossing } from "./Crossing.ts";

/** The longest time until a link is mailed, in milliseconds. */
const MAILED = 20_000;
const FIELDS = { name: "Changed", replyTo: "changed@far.test", signatureText: "Regards" } as const;

type Fields = Parameters<Identities["Service"]["change"]>[2];

/** Returns an account's requests about its identities. */
const identitiesOf = (visit: Visit, account: AccountId) => {
  const ask = <A, E>(use: (all: Identities["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("identities", (services) => use(Context.get(services, Identities)));
  const list = Effect.map(
    ask((all) => all.page(account, {})),
    ({ items }) => items,
  );
  return { ask, list };
};

/** Two concurrent requests that each make another identity the default leave one default. */
export const defaultWhileDefault: Crossing = {
  name: "default",
  prepare: (visit, _, account) =>
    Effect.gen(function* () {
      const { ask, list } = identitiesOf(visit, account);
      const create = (name: string) => ask((all) => all.create(account, { address: `${name}@far.test`, name }, true));
      const [one, other] = [yield* create("one"), yield* create("other")];
      const prefer = (id: string) => ask((all) => all.change(account, id, { isDefault: true }));
      return {
        held: prefer(one.id),
        meanwhile: prefer(other.id),
        after: Effect.map(list, (items) =>
          visit.same(items.filter(({ isDefault }) => isDefault).length, 1, "the number of default identities"),
        ),
      };
    }),
};

/** Adds an alias whose link is mailed; returns the requests about it. */
const addUnverified = (visit: Visit, cluster: Cluster, account: AccountId) =>
  Effect.gen(function* () {
    const { ask, list } = identitiesOf(visit, account);
    const address = `alias-of-${account.split("@")[0]}@far.test`;
    const { id } = yield* ask((all) => all.create(account, { address, name: "New" }, false));
    const links = () => mailedLinks(cluster, account, address);
    yield* visit.within(MAILED, `no link is mailed to ${address}`, () => links().length > 0);
    return {
      verify: Effect.suspend(() => ask((all) => all.verify(links()[0]!))),
      change: (fields: Fields) => ask((all) => all.change(account, id, fields)),
      remove: ask((all) => all.remove(account, id)),
      found: Effect.map(list, (items) => items.find((one) => one.id === id)),
    };
  });

/** A link that is opened while its identity is changed verifies the identity, and undoes no change. */
export const verifiedWhileChanged: Crossing = {
  name: "verified",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      const { verify, change, found } = yield* addUnverified(visit, cluster, account);
      return {
        held: verify,
        meanwhile: Effect.andThen(change(FIELDS), Effect.andThen(verify, change({ isDefault: true }))),
        after: Effect.map(found, (one) =>
          visit.same(
            [one?.name, one?.replyTo, one?.signatureText, one?.isDefault, one?.verified],
            [...Object.values(FIELDS), true, true],
            "an identity that was changed while its link was opened",
          ),
        ),
      };
    }),
};

/** An identity that is verified and becomes the default while it is changed stays both, and has the change. */
export const changedWhileVerified: Crossing = {
  name: "changed",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      const { verify, change, found } = yield* addUnverified(visit, cluster, account);
      let isChanged = false;
      return {
        held: Effect.map(change(FIELDS), () => (isChanged = true)),
        meanwhile: Effect.andThen(verify, change({ isDefault: true })),
        after: Effect.map(found, (one) =>
          visit.same(
            [one?.name, one?.isDefault, one?.verified],
            [isChanged ? FIELDS.name : "New", true, true],
            "an identity whose link was opened while it was changed",
          ),
        ),
      };
    }),
};

/** An identity that is deleted while its link is opened does not return. */
export const verifiedWhileRemoved: Crossing = {
  name: "removed-alias",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      const { verify, remove, found } = yield* addUnverified(visit, cluster, account);
      return {
        held: verify,
        meanwhile: remove,
        after: Effect.map(found, (one) => visit.same(one, undefined, "an identity that was deleted beside its link")),
      };
    }),
};
