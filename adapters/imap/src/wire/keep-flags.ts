import type { ImapFlow } from "imapflow";
import type { Untagged } from "./imapflow-internals.ts";

/** imapflow's readers of responses that no command waits for. */
interface Handlers {
  readonly untaggedHandlers: Record<string, (untagged: Untagged) => Promise<unknown>>;
}

/** Makes a connection keep the flags of its open mailbox as the server announces them: a new keyword changes them. */
export const keepFlags = (client: ImapFlow): void => {
  (client as unknown as Handlers).untaggedHandlers["FLAGS"] = ({ attributes: [listed] }) => {
    if (client.mailbox !== false && Array.isArray(listed)) {
      client.mailbox.flags = new Set(
        listed.flatMap((flag: { readonly value?: unknown } | null) =>
          typeof flag?.value === "string" ? flag.value : [],
        ),
      );
    }
    return Promise.resolve();
  };
};
