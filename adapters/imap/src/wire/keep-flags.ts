import type { ImapFlow } from "imapflow";
import type { Untagged } from "./imapflow-internals.ts";

/** imapflow's handlers of untagged responses. */
interface Handlers {
  readonly untaggedHandlers: Record<string, (untagged: Untagged) => Promise<unknown>>;
}

/** Makes a connection update the list of flags of its open mailbox when the server announces a new keyword. */
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
