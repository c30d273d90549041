import { MIN_ADMIN_KEY_CHARS, isServiceKeyText } from "@postern/core/auth";
import { Redacted } from "effect";
import { type Environment, readVariable, refuse } from "./environment.ts";

const ADMIN_KEY = new RegExp(`^[\\x21-\\x7e]{${MIN_ADMIN_KEY_CHARS},}$`);

/** Returns the admin keys of `ADMIN_KEY`: none, one or two. The error omits the value, because it is a secret. */
export const adminKeys = (env: Environment): ReadonlyArray<Redacted.Redacted> => {
  const keys = (readVariable(env, "ADMIN_KEY")?.split(",") ?? []).map((key) => key.trim());
  if (keys.length <= 2 && keys.every((key) => ADMIN_KEY.test(key) && !isServiceKeyText(key))) {
    return keys.map((key) => Redacted.make(key));
  }
  throw refuse(
    "ADMIN_KEY",
    "cannot be used",
    `a key of at least ${MIN_ADMIN_KEY_CHARS} letters, digits and signs, or two separated by a comma`,
  );
};
