import { Keys } from "@postern/core/auth";
import { Accounts } from "@postern/core/accounts";
import { Drafts } from "@postern/core/drafts";
import { FolderManagement } from "@postern/core/folders";
import { AccountCreation } from "@postern/core/lifecycle";
import { Identities } from "@postern/core/send";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import { eventsOf } from "../../events-of.ts";
import { factsOf } from "../../Fact.ts";
import { shortLine } from "../../timeline/short-line.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD } from "../../world/accounts.ts";
import { CREATIONS, CREATOR } from "../../world/creations.ts";

/**
 * A request to create something makes one record, regardless of repeats and of the nodes that serve them at the same
 * time; a repeated request gets that record as its answer.
 */
export const creations: Invariant = {
  name: "creations",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* visit.signIn(CREATOR, PASSWORD);
        for (const [kind, create] of Object.entries(CREATIONS)) {
          const name = `visited-${kind}`;
          if (kind === "account") cluster.mail.addAccount(`${name}@sim.test`, PASSWORD);
          const key = { caller: CREATOR, key: name, account: CREATOR };
          const once = visit.ask(`create ${name}`, (services) => create(services, name, key));
          yield* Effect.all([Effect.ignore(once), Effect.ignore(once)], { concurrency: 2 });
          for (const id of [yield* once, yield* once]) cluster.facts.push({ _tag: "Created", kind, name, id });
          const other = `${name}-other`;
          if (kind === "account") cluster.mail.addAccount(`${other}@sim.test`, PASSWORD);
          const reused = yield* Effect.flip(visit.ask(`create ${other}`, (services) => create(services, other, key)));
          visit.same(
            (reused as { _tag: string })._tag,
            "IdempotencyKeyReused",
            `creating another ${kind} with a used key`,
          );
        }
        for (const { kind, name } of factsOf(cluster.facts, "CreationAsked")) {
          const key = { caller: CREATOR, key: name, account: CREATOR };
          const once = visit.ask(`create ${name}`, (services) => CREATIONS[kind]!(services, name, key));
          const repeated = yield* Effect.result(whileInProgress(visit, once));
          if (repeated._tag === "Success") cluster.facts.push({ _tag: "Created", kind, name, id: repeated.success });
          else visit.expect(false, `a repeat of the creation of ${name} fails: ${shortLine(repeated.failure)}`);
        }
        for (const [name, some] of Map.groupBy(factsOf(cluster.facts, "Created"), (fact) => fact.name)) {
          visit.same(new Set(some.map(({ id }) => id)).size, 1, `the number of answers to the creation of ${name}`);
        }
        const records = yield* recordsOf(visit);
        for (const [name, count] of records) visit.same(count, 1, `the number of records of ${name}`);
        for (const { name } of factsOf(cluster.facts, "Created"))
          visit.expect(records.has(name), `${name} is not there`);
        yield* withoutKey(
          visit,
          (account) => eventsOf(cluster, account as never, "account.added").length,
          (email) => cluster.mail.addAccount(email, PASSWORD),
        );
      }),
  }),
};

/**
 * The number of repeats of a request while another request creates the same record, and their interval in milliseconds.
 */
const PATIENCE = { every: 3_000, times: 45 };

/** A request whose process ended holds its key until its lease ends. */
const whileInProgress = <A, E>(visit: Visit, once: Effect.Effect<A, E>) =>
  Effect.retry(
    Effect.tapError(once, () => visit.wait(PATIENCE.every)),
    { times: PATIENCE.times, while: (error) => shortLine(error).includes("CreationInProgress") },
  );

/**
 * Two concurrent requests without a key add one account: one request succeeds, the other fails because the account
 * exists.
 */
const withoutKey = (visit: Visit, added: (account: string) => number, addAccount: (email: string) => unknown) =>
  Effect.gen(function* () {
    const email = "twice@sim.test";
    addAccount(email);
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    const request = { email, name: null, secret, tags: [], imap: null, smtp: null };
    const create = visit.tagOf("create an account", (services) =>
      Context.get(services, AccountCreation).create(request, null),
    );
    const tags = yield* Effect.all([create, create], { concurrency: 2 });
    visit.same(tags.toSorted(), ["AccountExists", "Answered"], "the answers to two creations of one account");
    visit.same(added(email), 1, "the number of account.added");
  });

/** Returns the number of records of each created name. */
const recordsOf = (visit: Visit) =>
  Effect.gen(function* () {
    const names = yield* Effect.all([
      Effect.map(
        visit.ask("list folders", (services) => Context.get(services, FolderManagement).list(CREATOR)),
        (all) => all.map(({ name }) => name),
      ),
      Effect.map(
        visit.ask("list drafts", (services) => Context.get(services, Drafts).page(CREATOR, {})),
        ({ items }) => items.map(({ subject }) => subject),
      ),
      Effect.map(
        visit.ask("list identities", (services) => Context.get(services, Identities).page(CREATOR, {})),
        ({ items }) => items.map(({ name }) => name),
      ),
      Effect.map(
        visit.ask("list endpoints", (services) =>
          Context.get(services, WebhookEndpoints).page({ _tag: "Account", account: CREATOR }, {}),
        ),
        ({ items }) =>
          items.map(({ endpoint }) => /created-endpoint-\d+|visited-endpoint/.exec(endpoint.url)?.[0] ?? ""),
      ),
      Effect.map(
        visit.ask("list keys", (services) => Context.get(services, Keys).page({})),
        ({ items }) => items.map(({ name }) => name),
      ),
      Effect.map(
        visit.ask("list accounts", (services) =>
          Context.get(services, Accounts).list({ reach: null, state: null, tag: null, text: null }, null, 200),
        ),
        (all) => all.map(({ account }) => account.id.split("@")[0]!),
      ),
    ]);
    const made = names.flat().filter((name) => /^(?:created|visited)-/.test(name));
    return new Map([...Map.groupBy(made, (name) => name)].map(([name, some]) => [name, some.length]));
  });
