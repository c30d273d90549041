import { AccountDirectory } from "@postern/core/accounts";
import { AccountSessions, Authentication } from "@postern/core/auth";
import { Approvals, Drafts } from "@postern/core/drafts";
import { FolderManagement } from "@postern/core/folders";
import { AccountExport, AccountRemoval } from "@postern/core/lifecycle";
import { Identities, Outbox } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Option, Stream } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { clientOf } from "../../send/outbox-client.ts";
import { agentOf } from "../agents/agent.ts";
import { DAY } from "../durations.ts";
import type { Manager } from "./manager.ts";

/** The end of an account erases all its data and no other's; an export has all its data, no other's and no secret. */
export const readdAccount = (manager: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, cluster, create, use, find } = manager;
    const fill = (name: string) =>
      Effect.gen(function* () {
        const email = `${name}@sim.test`;
        const account = AccountId(email);
        cluster.mail.addAccount(email, PASSWORD);
        yield* create(email, { name, tags: [name] });
        const pair = yield* visit.signIn(account);
        const client = clientOf(visit, cluster, account);
        yield* client.send("leaver", { sendAt: visit.now + DAY });
        yield* client.send("written-to");
        yield* visit.ask("endpoint", (services) =>
          Context.get(services, WebhookEndpoints).create(
            { _tag: "Account", account },
            { url: `https://${name}.sim.test/`, events: ["email.sent"] },
          ),
        );
        yield* visit.ask("alias", (services) =>
          Context.get(services, Identities).create(account, { address: `${name}@far.test`, name }, true),
        );
        yield* visit.ask("folder", (services) =>
          Context.get(services, FolderManagement).create(account, { name: `Of ${name}`, parentId: null }),
        );
        const agent = agentOf(visit, cluster, account);
        yield* agent.ask(yield* agent.key(), `asked by ${name}`);
        return { account, token: pair.token };
      });
    const count = (account: AccountId) =>
      visit.ask("count", (services) =>
        Effect.gen(function* () {
          const drafts = yield* Context.get(services, Drafts).page(account, {});
          const approvals = yield* Context.get(services, Approvals).page(account, {});
          const outbox = yield* Context.get(services, Outbox).page(account, {});
          const endpoints = yield* Context.get(services, WebhookEndpoints).page({ _tag: "Account", account }, {});
          const identities = yield* Context.get(services, Identities).page(account, {});
          const sessions = yield* Context.get(services, AccountSessions).page(account, {});
          const all = { drafts, approvals, outbox, endpoints, identities, sessions };
          return Object.entries(all).map(([name, { items }]) => `${items.length} ${name}`);
        }),
      );
    const [leaver, neighbour] = [yield* fill("leaver"), yield* fill("neighbour")];
    yield* visit.wait(5_000);
    const filled = yield* count(neighbour.account);
    visit.same(yield* count(leaver.account), filled, "the data of two accounts");

    const known = yield* find(leaver.account);
    const lines = yield* visit.ask("export", (services) =>
      Stream.runCollect(Context.get(services, AccountExport).of(known)),
    );
    const kinds = new Set(lines.map(({ _tag }) => _tag));
    const promised = ["Account", "Session", "Identity", "Endpoint", "Outgoing", "Event"];
    visit.same(
      promised.filter((kind) => !kinds.has(kind as "Event")),
      [],
      "what an export lacks",
    );
    visit.expect(!JSON.stringify(lines).includes("neighbour"), "an export has data of another account");

    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(leaver.account));
    visit.same(yield* use(leaver.account), "AccountNotFound", "a removed account");
    const token = (text: string) =>
      visit.tagOf("use", (services) => Context.get(services, Authentication).byAccessToken(text));
    visit.same(
      [yield* token(leaver.token), yield* token(neighbour.token)],
      ["TokenRejected", "Answered"],
      "two sessions",
    );
    visit.same(yield* create(leaver.account), "Answered", "an account that is added again");
    const { name, tags, createdAt } = yield* find(leaver.account);
    visit.same([name, tags, createdAt > known.createdAt], [null, [], true], "an account that was added again");
    // Drafts are mail, which stays on the server.
    const left = { drafts: "1", identities: "1" };
    const empty = filled.map((one) =>
      one.replace(/^\d+ (\w+)$/, (_, what) => `${left[what as "drafts"] ?? 0} ${what}`),
    );
    visit.same(yield* count(leaver.account), empty, "the data of an account that was added again");
    visit.same(yield* count(neighbour.account), filled, "the data of another account");
    const neighbours = cluster.ask((ports) => Context.get(ports, AccountDirectory).find(neighbour.account));
    visit.expect(Option.isSome(neighbours), "another account is gone");
  });
