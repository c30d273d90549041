import { ConnectLinks } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import { MINUTE } from "../durations.ts";
import type { Operator } from "./operator.ts";

/** Links that keys made, by their secrets. */
export const linksOf = ({ visit }: Operator) => ({
  link: (key: string): Effect.Effect<string, unknown> =>
    Effect.map(
      visit.ask("make a link", (services) =>
        Context.get(services, ConnectLinks).make({ redirectUrl: "https://app.sim.test/" }, { reach: null, key }),
      ),
      (url) => url.slice(url.lastIndexOf("/") + 1),
    ),
  opens: (secret: string) => visit.tagOf("open a link", (services) => Context.get(services, ConnectLinks).find(secret)),
});

/** A link shows the name that the operator gave its application, and ends when it was used or its key has expired. */
export const useLinks = (operator: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, keys, make } = operator;
    const { link, opens } = linksOf(operator);
    const [lasting, short] = [yield* make("linking"), yield* make("linking", { expiresAt: visit.now + 3 * MINUTE })];
    yield* keys((all) => all.changeApplication("linking", { displayName: "Shown", purpose: "reads mail" }));
    const [one, two, three] = [yield* link(lasting.key.id), yield* link(lasting.key.id), yield* link(short.key.id)];
    const asker = yield* visit.ask("open", (services) => {
      const links = Context.get(services, ConnectLinks);
      return Effect.flatMap(links.find(one), links.askerOf);
    });
    visit.same(
      [asker.name, asker.purpose, asker.scopes],
      ["Shown", "reads mail", lasting.key.scopes],
      "who asks by a link",
    );
    yield* visit.ask("close", (services) => Context.get(services, ConnectLinks).close(one));
    visit.same(
      [yield* opens(one), yield* opens(two), yield* opens(three)],
      ["LinkExpired", "Answered", "Answered"],
      "three links",
    );
    yield* visit.skip(4 * MINUTE);
    visit.same(
      [yield* opens(two), yield* opens(three)],
      ["Answered", "LinkExpired"],
      "the link of an expired key, and another",
    );
  });
