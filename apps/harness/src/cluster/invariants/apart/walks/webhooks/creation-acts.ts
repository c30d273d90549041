import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { ownerIn } from "./webhook-requests.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** The time after which a process notes another answer of a server. */
const NOTED = 6 * SECOND;

/**
 * Creations of endpoints of an account that no endpoint watches yet, while its mail server is away: a refused creation creates
 * nothing, and a repeat with its key creates one. [S2.6-3] [S2.6-10] [S7.4-3] [S7.6-1]
 */
export const creationActs = (visit: Visit, cluster: Cluster, model: WebhookModel): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account } = model;
  const owner = ownerIn(model);
  const made: Array<string> = [];
  let count = 0;
  let hadOne = false;
  const create = (url: string, key: string | undefined) =>
    Effect.match(
      visit.ask("create an endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          owner,
          { url, events: ["email.received"] },
          key === undefined ? undefined : { caller: account, key, account },
        ),
      ),
      { onFailure: ({ _tag }) => ({ tag: _tag, id: "" }), onSuccess: ({ endpoint }) => ({ tag: "", id: endpoint.id }) },
    );
  const compare = Effect.gen(function* () {
    const { items } = yield* visit.ask("endpoints", (services) =>
      Context.get(services, WebhookEndpoints).page(owner, {}),
    );
    visit.same(
      items.map(({ endpoint }) => endpoint.id).toSorted(),
      made.toSorted(),
      "the endpoints after creations while the mail server was away",
    );
  });
  const createAway = Effect.gen(function* () {
    const url = `https://visit.sim.test/away-${++count}`;
    const key = random.chance(0.7) ? url : undefined;
    cluster.mail.conducts.set(account, "away");
    const first = yield* create(url, key);
    cluster.mail.conducts.delete(account);
    // An account that is watched already may not need its server.
    visit.expect(
      first.tag === "MailServerError" || (hadOne && first.tag === ""),
      `the first endpoint of an account whose mail server is away is answered with ${first.tag || "success"}`,
    );
    if (first.id !== "") made.push(first.id);
    yield* compare;
    yield* visit.wait(NOTED);
    const both = yield* Effect.all([create(url, key), random.chance(0.4) ? create(url, key) : Effect.succeed(null)], {
      concurrency: 2,
    });
    for (const one of both) {
      if (one === null || (key !== undefined && one.tag === "CreationInProgress")) continue;
      visit.same(one.tag, "", "the creation of an endpoint once the mail server is back");
      if (!made.includes(one.id)) made.push(one.id);
    }
    if (key !== undefined) {
      visit.same((yield* create(url, key)).id, made.at(-1), "an endpoint whose creation is repeated");
      visit.expect(new Set(made).size === made.length, "a repeated creation creates another endpoint");
    }
    yield* compare;
    hadOne = true;
  });
  const remove = Effect.gen(function* () {
    const id = random.pick(made)!;
    yield* visit.ask("remove", (services) => Context.get(services, WebhookEndpoints).remove(owner, id));
    made.splice(made.indexOf(id), 1);
    yield* compare;
  });
  return [
    { name: "create while the mail server is away", weight: 2, isPossible: () => made.length < 3, run: createAway },
    { name: "remove one of them", isPossible: () => made.length > 0, run: remove },
  ];
};
