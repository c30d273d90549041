import { ADMIN_KEY_CHARACTERS, isServiceKeyText } from "@postern/core/auth";
import { Redacted } from "effect";
import { type Environment, given, refuse } from "./environment.ts";

const ADMIN_KEY = new RegExp(`^[\\x21-\\x7e]{${ADMIN_KEY_CHARACTERS},}$`);

/** Returns the admin keys of `ADMIN_KEY`: none, one or two. The error leaves out the value, because it is a secret. */
export const adminKeys = (env: Environment): ReadonlyArray<Redacted.Redacted> => {
  const keys = (given(env, "ADMIN_KEY")?.split(",") ?? []).map((key) => key.trim());
  if (keys.length <= 2 && keys.every((key) => ADMIN_KEY.test(key) && !isServiceKeyText(key))) {
    return keys.map((key) => Redacted.make(key));
  }
  throw refuse(
    "ADMIN_KEY",
    "cannot be used",
    `a key of at least ${ADMIN_KEY_CHARACTERS} letters, digits and signs, or two separated by a comma`,
  );
};
