import { type Config, ConfigError, readConfig } from "../settings/config.ts";
import { environmentOf } from "./option-names.ts";
import type { Settings } from "./PosternOptions.ts";
import { Effect } from "effect";

const NO_SERVERS =
  'No mail server is named: set imapUrl and smtpUrl, or accountServers to "any", or sandbox to true for demo accounts in memory.';
const TWO_KINDS = "sandbox is true, but other options name mail servers; leave out the one or the others.";

/** Returns the config of an embedded service, which is a sandbox only at the host's request. */
export const embeddedConfig = Effect.fnUntraced(function* ({
  sandbox = false,
  workerUrl,
  ...settings
}: Settings): Effect.fn.Return<Config, ConfigError> {
  if (typeof sandbox !== "boolean") return yield* new ConfigError({ message: "sandbox takes true or false." });
  const config = yield* readConfig(environmentOf(settings), false);
  if (config.sandbox === sandbox) return { ...config, workerUrl };
  return yield* new ConfigError({ message: sandbox ? TWO_KINDS : NO_SERVERS });
});
