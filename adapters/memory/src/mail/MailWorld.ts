import { MailServerError } from "@postern/core/mail";
import { Clock, Context, Effect, Layer } from "effect";
import { MailServerInMemory, type ServerConduct } from "./MailServerInMemory.ts";
import type { RawMessage } from "./Mailbox.ts";

/** An initial account of a mail server. */
export interface InitialAccount {
  readonly address: string;
  readonly password: string;
  /** Folders created in addition to INBOX and the special folders. */
  readonly folders: ReadonlyArray<string>;
  /** The messages in the order of their UIDs. */
  readonly messages: ReadonlyArray<{
    readonly folder: string;
    readonly raw: RawMessage;
    /** INTERNALDATE in epoch milliseconds. */
    readonly arrivedAt: number;
    readonly flags: ReadonlyArray<string>;
  }>;
}

/** The mail server behind the fake ports, which a test or the sandbox controls. */
export class MailWorld extends Context.Service<MailWorld, MailServerInMemory>()("@postern/memory/MailWorld") {
  /**
   * A mail server with these accounts, created for its start time (epoch milliseconds). UIDVALIDITY depends on that
   * time too, because clients would otherwise mistake the mail for the mail of the previous start.
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

/** Fails like a connection to a server with this conduct. */
export const failureOf = (conduct: Exclude<ServerConduct, "unclear">): Effect.Effect<never, MailServerError> =>
  Effect.fail(
    new MailServerError({
      reason: conduct === "away" ? "unreachable" : "flood",
      operation: "connect",
      detail: "simulated",
    }),
  );
