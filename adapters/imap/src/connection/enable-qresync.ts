import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { connectionLoss } from "./imap-failure.ts";
import { countWatch } from "./imap-metrics.ts";

/**
 * Enables QRESYNC (RFC 7162) for a watch, if the server has it. ENABLE is allowed only while no mailbox is selected
 * (RFC 5161, 3.1); while one is selected, imapflow silently sends no ENABLE. A session with a selected mailbox
 * therefore sends UNSELECT first. If the server lacks UNSELECT, the session fails, so that the watch begins on a new
 * connection.
 */
export const enableQresync = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
): Effect.fn.Return<void, MailServerError> {
  if (!client.capabilities.has("QRESYNC")) return yield* countWatch("unsupported");
  const { run } = client as unknown as CommandRunner;
  if (hasSelected(client)) {
    // CLOSE would expunge messages marked as deleted.
    if (client.capabilities.has("UNSELECT")) {
      yield* command(client, "unselect", timeout, () => run.call(client, "CLOSE", { unselect: true }));
    }
    if (hasSelected(client)) return yield* connectionLoss("enable", "a mailbox is selected");
  }
  yield* command(client, "enable", timeout, () => run.call(client, "ENABLE", ["QRESYNC"]).then(() => true));
  yield* countWatch(client.enabled.has("QRESYNC") ? "enabled" : "refused");
});

const hasSelected = (client: ImapFlow): boolean => client.mailbox !== false;

/** imapflow runs commands by name; its own list of extensions to enable lacks QRESYNC. */
interface CommandRunner {
  readonly run: (this: ImapFlow, command: string, argument: unknown) => Promise<unknown>;
}
