import { KeyAuthentication } from "@postern/core/auth";
import { AccountCreation } from "@postern/core/lifecycle";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { clientOf } from "../../send/outbox-client.ts";
import { HOUR, MINUTE } from "../durations.ts";
import type { Operator } from "./operator.ts";

const LATE = 5_000;
const TAG = "of-the-suspended";
const OWNER = { _tag: "Application", application: "suspended", reach: [`tag:${TAG}`], notify: null } as const;
const OPEN = "https://visit.sim.test/suspended";

/** While an application is suspended its keys are refused, and its messages and events wait; afterwards all are sent. */
export const suspendApplication = ({
  visit,
  cluster,
  keys,
  tagOf,
  make,
  present,
  application,
}: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* visit.signUp("suspended"));
    const [one, two, other] = [yield* make("suspended"), yield* make("suspended"), yield* make("unsuspended")];
    const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    const watch = (url: string) => endpoints((all) => all.create(OWNER, { url, events: ["account.added"] }));
    const { endpoint: open } = yield* watch(OPEN);
    const { endpoint: closed } = yield* watch("https://visit.sim.test/disabled");
    yield* endpoints((all) => all.disable(OWNER, closed.id));
    const states = Effect.map(
      endpoints((all) => all.page(OWNER, {})),
      ({ items }) => [open, closed].map(({ id }) => items.find(({ endpoint }) => endpoint.id === id)?.endpoint.state),
    );
    const [soon, later] = [visit.now + HOUR, visit.now + 3 * HOUR];
    const sent = {
      waiting: yield* client.send("waiting", { by: one.by, sendAt: soon }),
      sibling: yield* client.send("sibling", { by: two.by, sendAt: soon }),
      planned: yield* client.send("planned", { by: one.by, sendAt: later }),
      other: yield* client.send("other", { by: other.by, sendAt: soon }),
      person: yield* client.send("person", { sendAt: soon }),
    };
    const copies = () => Object.entries(sent).map(([name, { id }]) => client.copies(id, name));

    for (let n = 0; n < 2; n++) yield* keys((all) => all.suspend("suspended"));
    const three = yield* make("suspended");
    const presented = Effect.forEach([one, two, three, other], ({ text }) => present(text));
    const refused = ["ApplicationSuspended", "ApplicationSuspended", "ApplicationSuspended", "accepted"];
    visit.same(yield* presented, refused, "the keys of a suspended application, and another key");
    const streams = (id: string) =>
      visit.tagOf("check", (services) =>
        Context.get(services, KeyAuthentication).recheck(id, "mail:read", { network: "", isWithin: () => true }),
      );
    const streaming = [yield* streams(one.key.id), yield* streams(other.key.id)];
    visit.same(
      streaming,
      ["ApplicationSuspended", "Answered"],
      "the streams of a suspended application, and another's",
    );
    visit.same(yield* states, ["suspended", "disabled"], "the endpoints of a suspended application");
    const shown = yield* application("suspended");
    visit.same([shown?.keys, shown?.suspendedAt !== null], [3, true], "a suspended application");
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    cluster.mail.addAccount("added-meanwhile@sim.test", PASSWORD);
    yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(
        { email: "added-meanwhile@sim.test", name: null, secret, tags: [TAG], imap: null, smtp: null },
        null,
      ),
    );
    yield* visit.skip(HOUR + MINUTE);
    yield* visit.wait(LATE);
    const posts = () => cluster.receivers.posts.filter(({ url }) => url === OPEN).length;
    visit.same([copies(), posts()], [[0, 0, 0, 1, 1], 0], "what left while an application was suspended");

    for (let n = 0; n < 2; n++) yield* keys((all) => all.resume("suspended"));
    visit.same(
      yield* presented,
      refused.map(() => "accepted"),
      "the keys of a resumed application",
    );
    visit.same(yield* states, ["enabled", "disabled"], "the endpoints of a resumed application");
    yield* visit.wait(LATE);
    visit.same([copies(), posts()], [[1, 1, 0, 1, 1], 1], "what left once the application was resumed");
    yield* visit.skip(2 * HOUR);
    yield* visit.wait(LATE);
    visit.same(copies(), [1, 1, 1, 1, 1], "what left of a resumed application at last");
    visit.same(
      yield* tagOf((all) => all.suspend("unknown")),
      "ApplicationNotFound",
      "the suspension of no application",
    );
  });
