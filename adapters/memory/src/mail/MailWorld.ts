import { Clock, Context, Effect, Layer } from "effect";
import { MailServerInMemory } from "./MailServerInMemory.ts";
import type { RawMessage } from "./StoredMessage.ts";

/** An account that a mail server starts with. */
export interface InitialAccount {
  readonly address: string;
  readonly password: string;
  /** Created beside INBOX and the special folders. */
  readonly folders: ReadonlyArray<string>;
  /** In the order of their UIDs. */
  readonly messages: ReadonlyArray<{
    readonly folder: string;
    readonly raw: RawMessage;
    /** INTERNALDATE in epoch milliseconds. */
    readonly arrivedAt: number;
    readonly flags: ReadonlyArray<string>;
  }>;
}

/** The mail world that the fake ports look at, and that a test or the sandbox steers. */
export class MailWorld extends Context.Service<MailWorld, MailServerInMemory>()("@postern/memory/MailWorld") {
  /**
   * A mail server with these accounts, made for the moment it starts (epoch milliseconds). UIDVALIDITY follows that
   * moment too, or clients would take the mail for that of the start before.
   */
  static readonly layer = (accountsAt: (now: number) => ReadonlyArray<InitialAccount>): Layer.Layer<MailWorld> =>
    Layer.effect(
      MailWorld,
      Effect.map(Clock.currentTimeMillis, (now) => {
        const server = new MailServerInMemory(Math.max(1, Math.floor(now / 1000)));
        for (const { address, password, folders, messages } of accountsAt(now)) {
          const account = server.addAccount(address, password);
          for (const path of folders) account.create(path);
          for (const { folder, raw, arrivedAt, flags } of messages) {
            account.mailbox(folder).append(raw, arrivedAt, flags);
          }
        }
        return server;
      }),
    );
}
