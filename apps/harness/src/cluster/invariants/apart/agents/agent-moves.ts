import { ActingAgent } from "@postern/core/auth";
import { FolderManagement, Folders } from "@postern/core/folders";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Identities } from "@postern/core/send";
import { Context, Effect } from "effect";
import { textOf } from "../../../world/accounts.ts";
import type { AgentUser } from "./agent.ts";

const AGENT = { policy: { to: [], approval: "always" } } as const;

/** An agent moves messages anywhere but into Sent and Drafts, by any operation, and changes no identity. */
export const moveAsAgent = ({ visit, cluster, account }: AgentUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const as = (agent: typeof AGENT | null) => ({
      folders: <A, E extends { readonly _tag: string }>(
        use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>,
      ) =>
        visit.tagOf("folders", (services) =>
          Effect.provideService(use(Context.get(services, FolderManagement)), ActingAgent, agent),
        ),
      messages: <A, E extends { readonly _tag: string }>(
        use: (all: MessageActions["Service"]) => Effect.Effect<A, E>,
      ) =>
        visit.tagOf("messages", (services) =>
          Effect.provideService(use(Context.get(services, MessageActions)), ActingAgent, agent),
        ),
    });
    const [agent, person] = [as(AGENT), as(null)];
    const mailbox = cluster.mail.account(account).mailbox("INBOX");
    mailbox.append(textOf("<moved-by-agent@far.test>", account), visit.now);
    const all = yield* visit.ask("folders", (services) => Context.get(services, Folders).list(account));
    const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
    const message = page.emails[0]!.id;
    const make = (name: string) =>
      visit.ask("create", (services) =>
        Context.get(services, FolderManagement).create(account, { name, parentId: null }),
      );
    const [archive, doomed] = [yield* make("Of agents"), yield* make("Doomed")];
    for (const role of ["sent", "drafts"] as const) {
      const folder = all.find((one) => one.role === role)!;
      const move = { _tag: "Change", flags: {}, folderId: folder.id } as const;
      const refused = [
        yield* agent.messages((one) => one.change(account, message, {}, folder.id)),
        yield* agent.messages((one) => one.carryOut(account, [message], move)),
        yield* agent.folders((one) =>
          one.remove(account, doomed.id, { permanent: false, recursive: false, moveTo: folder.id }),
        ),
      ];
      visit.same(refused.slice(0, 2), ["AgentNotAllowed", "AgentNotAllowed"], `moves of an agent into ${role}`);
      visit.expect(refused[2] !== "Answered", `an agent moves a folder's messages into ${role}`);
    }
    visit.same(mailbox.messages.length, 1, "the messages that an agent failed to move");
    const into = (id: string) => agent.messages((one) => one.change(account, message, {}, id));
    visit.same(yield* into(archive.id), "Answered", "a move of an agent into a folder");
    const sent = all.find((one) => one.role === "sent")!;
    const removed = yield* person.folders((one) =>
      one.remove(account, doomed.id, { permanent: false, recursive: false, moveTo: sent.id }),
    );
    visit.same(removed, "Answered", "a person's move of a folder's messages into Sent");
    const identities = <A, E extends { readonly _tag: string }>(
      use: (one: Identities["Service"]) => Effect.Effect<A, E>,
    ) =>
      visit.tagOf("identities", (services) =>
        Effect.provideService(use(Context.get(services, Identities)), ActingAgent, AGENT),
      );
    const [own] = (yield* visit.ask("identities", (services) => Context.get(services, Identities).page(account, {})))
      .items;
    const changes = [
      yield* identities((one) => one.create(account, { address: "agent@far.test", name: "Agent" }, true)),
      yield* identities((one) => one.change(account, own!.id, { name: "Agent" })),
      yield* identities((one) => one.remove(account, own!.id)),
    ];
    visit.same(
      changes,
      changes.map(() => "AgentNotAllowed"),
      "the identities that an agent changes",
    );
  });
