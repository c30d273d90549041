import { appOf, type OAuthApp, OAuthAppInput } from "@postern/core/oauth";
import { Option, Schema } from "effect";
import { type Environment, readVariable, refuse } from "./environment.ts";

const EXPECTED = "a JSON array of apps, as docs/reference/configuration.md describes them";

const decode = Schema.decodeUnknownOption(OAuthAppInput, { onExcessProperty: "error" });

/** Returns the apps of `OAUTH_APPS`. Errors omit the values, because these contain secrets. */
export const oauthApps = (env: Environment): ReadonlyArray<OAuthApp> => {
  const text = readVariable(env, "OAUTH_APPS");
  if (text === undefined) return [];
  const apps = arrayOf(text).map((given, n) => {
    const input = Option.getOrThrowWith(decode(given), () =>
      refuse("OAUTH_APPS", `has an app ${n + 1} with unknown or missing fields`, EXPECTED),
    );
    const read = appOf(input);
    if ("app" in read) return read.app;
    const [{ field, message } = { field: "app", message: "cannot be used" }] = read.faults;
    throw refuse("OAUTH_APPS", `has an app ${JSON.stringify(input.id)} whose ${field} ${message}`, EXPECTED);
  });
  const twice = apps.find(({ id }, n) => apps.findIndex((app) => app.id === id) !== n);
  if (twice !== undefined) throw refuse("OAUTH_APPS", `has two apps ${JSON.stringify(twice.id)}`, EXPECTED);
  return apps;
};

const arrayOf = (text: string): ReadonlyArray<unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The error of JSON.parse is dropped, because it quotes the text.
  }
  throw refuse("OAUTH_APPS", "is no JSON array", EXPECTED);
};
