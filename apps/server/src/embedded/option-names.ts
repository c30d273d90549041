import { settingNames } from "../settings/config.ts";
import type { Environment } from "../settings/environment.ts";
import { PosternError } from "./PosternError.ts";

/** Settings that apply only to a separate process, which itself listens and logs. */
const OF_THE_PROCESS = new Set(["HOST", "PORT", "LOG_FORMAT"]);

/** Returns the name of the option for a setting: `imapUrl` for `IMAP_URL`. */
export const optionOf = (setting: string): string =>
  setting.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the names of all options that are settings. */
export const optionNames = (): ReadonlyMap<string, string> =>
  new Map([...settingNames()].filter((name) => !OF_THE_PROCESS.has(name)).map((name) => [optionOf(name), name]));

/** Returns the settings for the given options; refuses an unknown option. */
export const environmentOf = (options: object): Environment => {
  const names = optionNames();
  return Object.fromEntries(
    Object.entries(options).map(([option, value]): [string, string | undefined] => {
      const name = names.get(option);
      if (name === undefined) throw new PosternError(`${option} is no option`, { code: "invalid_option" });
      return [name, value === undefined ? undefined : String(value)];
    }),
  );
};

/** Replaces the names of settings in a text by the names of options. */
export const namingOptions = (text: string): string =>
  [...optionNames()].reduce(
    (named, [option, name]) => named.replaceAll(new RegExp(`\\b${name}\\b`, "g"), option),
    text,
  );
