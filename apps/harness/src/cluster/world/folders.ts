import { FolderManagement, type ManagedFolder } from "@postern/core/folders";
import { Inbox, MessageActions, Messages, Search } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Exit } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { NodeServices } from "../nodes/NodeServices.ts";
import type { Script } from "../Script.ts";
import { textOf, USERS } from "./accounts.ts";
import { repeatRequest } from "./repeat-request.ts";

/** The folder whose messages users read and move. */
export const ARCHIVE = "Archive";

/**
 * Adds acts in which users create, rename and remove folders with mail in them, and list, search, read and move messages, also back
 * into INBOX.
 */
export const folderActs = (script: Script): void => {
  const { cluster } = script;
  const { random } = cluster;

  script.often(Math.ceil(script.minutes), (number) => {
    const account = random.pick(USERS)!;
    const name = `Folder ${number}`;
    fill(cluster, account, name);
    cluster.timeline.after(random.between(0, 20_000), () => {
      const isRecursive = random.chance(0.5);
      repeatRequest(
        cluster,
        `remove ${name}`,
        (services) =>
          withFolder(services, account, name, (id) =>
            Context.get(services, FolderManagement).remove(account, id, { permanent: false, recursive: isRecursive }),
          ),
        undefined,
        4,
      );
    });
  });

  script.often(Math.ceil(script.minutes / 2), (number) => {
    const account = random.pick(USERS)!;
    cluster.request(`create a folder for ${account}`, (services) =>
      Effect.gen(function* () {
        const { create, change } = Context.get(services, FolderManagement);
        const { id } = yield* create(account, { name: `Made ${number}`, parentId: null });
        yield* change(account, id, { name: `Renamed ${number}` });
      }),
    );
  });

  script.often(Math.ceil(script.minutes * 3), () => {
    const account = random.pick(USERS)!;
    const action = random.pick(["read", "search", "flag", "move", "return"] as const);
    const moved = (services: Context.Context<NodeServices>) =>
      Effect.gen(function* () {
        const { page } = yield* Context.get(services, Inbox).list(account, { folder: ARCHIVE });
        const email = page.emails[0];
        if (action === "search") yield* Context.get(services, Search).list(account, { subject: "filed", limit: 5 });
        if (email === undefined) return null;
        if (action === "read") yield* Context.get(services, Messages).read(account, email.id);
        const actions = Context.get(services, MessageActions);
        if (action === "flag") yield* actions.change(account, email.id, { flagged: true }, undefined);
        if (action === "return") yield* actions.change(account, email.id, {}, "inbox");
        if (action === "return") return email.message.messageId;
        if (action !== "move") return null;
        const { outcomes } = yield* actions.carryOut(account, [email.id], { _tag: "Trash" });
        return outcomes[0]!.found ? email.message.messageId : null;
      });
    cluster.request(`${action} mail of ${account}`, moved, (exit) => {
      if (exit === null || Exit.isFailure(exit) || exit.value === null) return;
      cluster.facts.push({ _tag: "MailMoved", account, messageId: exit.value, from: ARCHIVE });
    });
  });
};

/** Creates the folder from which users read messages. */
export const createArchive = (cluster: Cluster): void => {
  for (const account of USERS) fill(cluster, account, ARCHIVE);
};

/** Creates a folder on the mail server, with messages that no act deletes permanently. */
const fill = (cluster: Cluster, account: AccountId, name: string): void => {
  const mailbox = cluster.mail.account(account).create(name);
  for (let number = 0; number < 3; number++) {
    const messageId = `<filed-${number}.${name.replace(" ", "-")}@far.test>`;
    mailbox.append(textOf(messageId, account), cluster.timeline.now);
    cluster.facts.push({ _tag: "MailFiled", account, messageId, folder: name });
  }
};

const withFolder = <A, E>(
  services: Context.Context<FolderManagement>,
  account: AccountId,
  name: string,
  use: (id: ManagedFolder["id"]) => Effect.Effect<A, E>,
) =>
  Effect.flatMap(Context.get(services, FolderManagement).list(account), (folders) => {
    const folder = folders.find((one) => one.name === name);
    return folder === undefined ? Effect.void : use(folder.id);
  });
