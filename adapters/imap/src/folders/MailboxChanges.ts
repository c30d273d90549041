import { FolderExists, FolderNameInvalid, FolderNotFound, type FolderRole, MailServerError } from "@postern/core/mail";
import { MailboxChanges } from "@postern/core/folders";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { atomArgument, execute, nameArgument } from "../connection/execute.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { moveBatch, nextBatch } from "../changing/move-messages.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";

const SPECIAL_USE: Partial<Record<FolderRole, string>> = {
  sent: "\\Sent",
  drafts: "\\Drafts",
  trash: "\\Trash",
  junk: "\\Junk",
  archive: "\\Archive",
};

/** Changes mailboxes over IMAP (spec 4). The texts of refusals differ between servers, so a LIST finds the reason. */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxChanges, never, ImapConnections> =>
  Layer.effect(
    MailboxChanges,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      /** Runs a change with INBOX open, because servers may end a session that changes its open mailbox. */
      const onConnection = <A, E>(account: Account, change: (client: ImapFlow) => Effect.Effect<A, E>) =>
        connections
          .hold(account, "interactive", "INBOX", (client) => Effect.as(openMailbox(client, "INBOX", timeout), client))
          .pipe(
            Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => inboxMissing),
            Effect.flatMap(change),
            Effect.scoped,
          );

      /** Runs work in a mailbox on a connection of the bulk lane, so that listings do not wait for it. */
      const inMailbox = <A, E>(account: Account, path: string, work: (client: ImapFlow) => Effect.Effect<A, E>) =>
        connections
          .hold(account, "bulk", path, (client) => Effect.as(openMailbox(client, path, timeout), client))
          .pipe(
            Effect.catchTag("FolderNotSelectable", () => new FolderNotFound()),
            Effect.flatMap(work),
            Effect.scoped,
          );

      /** Returns undefined on success, otherwise the server's refusal, whose reason the caller determines. */
      const attempt = (client: ImapFlow, operation: string, run: () => Promise<unknown>) =>
        command(client, operation, timeout, run).pipe(
          Effect.as(undefined),
          Effect.catchIf(({ reason }) => reason === "protocol", Effect.succeed),
        );

      const paths = (client: ImapFlow) =>
        Effect.map(
          command(client, "list", timeout, () => client.list({ listOnly: true })),
          (entries) => new Set(entries.map(({ path }) => path)),
        );

      /** Subscribes to a mailbox; a refusal does not fail the preceding change. */
      const subscribe = (client: ImapFlow, path: string) =>
        Effect.catchIf(
          command(client, "subscribe", timeout, () => client.mailboxSubscribe(path)),
          isRefusal,
          () => Effect.void,
        );
      const unsubscribe = (client: ImapFlow, path: string) =>
        Effect.catchIf(
          command(client, "unsubscribe", timeout, () => client.mailboxUnsubscribe(path)),
          isRefusal,
          () => Effect.void,
        );

      const create = Effect.fnUntraced(function* (client: ImapFlow, path: string, role: FolderRole | undefined) {
        const use = role === undefined ? undefined : SPECIAL_USE[role];
        if (use !== undefined && client.capabilities.has("CREATE-SPECIAL-USE")) {
          const marked = [atomArgument("USE"), [atomArgument(use)]] as never;
          const made = yield* Effect.result(execute(client, "CREATE", timeout, nameArgument(client, path), marked));
          if (made._tag === "Success") return yield* subscribe(client, path);
        }
        let created = true;
        const refusal = yield* attempt(client, "create", async () => {
          created = (await client.mailboxCreate(path))?.created !== false;
        });
        if (!created) return yield* new FolderExists();
        if (refusal === undefined) return;
        if ((yield* paths(client)).has(path)) return yield* new FolderExists();
        return yield* new FolderNameInvalid({ reason: "refused" });
      });

      const rename = Effect.fnUntraced(function* (client: ImapFlow, from: string, to: string) {
        const refusal = yield* attempt(client, "rename", () => client.mailboxRename(from, to));
        if (refusal === undefined) {
          yield* unsubscribe(client, from);
          yield* subscribe(client, to);
          return;
        }
        const there = yield* paths(client);
        if (!there.has(from)) return yield* new FolderNotFound();
        if (there.has(to)) return yield* new FolderExists();
        return yield* new FolderNameInvalid({ reason: "refused" });
      });

      const remove = Effect.fnUntraced(function* (client: ImapFlow, path: string) {
        const refusal = yield* attempt(client, "delete", () => client.mailboxDelete(path));
        if (refusal !== undefined) {
          const there = (yield* paths(client)).has(path);
          return yield* there ? refusal : new FolderNotFound();
        }
        yield* unsubscribe(client, path);
      });

      return MailboxChanges.of({
        create: Effect.fn("MailboxChanges.create")((account, path, role) =>
          onConnection(account, (client) => create(client, path, role)),
        ),
        rename: Effect.fn("MailboxChanges.rename")((account, from, to) =>
          onConnection(account, (client) => rename(client, from, to)),
        ),
        remove: Effect.fn("MailboxChanges.remove")((account, path) =>
          onConnection(account, (client) => remove(client, path)),
        ),
        nextBatch: Effect.fn("MailboxChanges.nextBatch")((account, mailbox, to) =>
          inMailbox(account, mailbox, (client) => nextBatch(client, mailbox, to, timeout)),
        ),
        moveBatch: Effect.fn("MailboxChanges.moveBatch")((account, batch, to) =>
          inMailbox(account, batch.mailbox, (client) => moveBatch(client, batch, to, timeout)),
        ),
      });
    }),
  );

const isRefusal = ({ reason }: MailServerError): boolean => reason !== "unreachable" && reason !== "timeout";

type Account = Parameters<MailboxChanges["Service"]["create"]>[0];

const inboxMissing = Effect.suspend(
  () => new MailServerError({ reason: "protocol", operation: "select", detail: "there is no INBOX" }),
);
