import { Schema } from "effect";
import { keyFields } from "../auth/rules.ts";
import { entriesUpTo, rule, Text, textUpTo } from "../shared/rules.ts";

/** An http URI of this machine, with any port (RFC 8252, 7.3). It is compared as text, because a parser would accept other spellings. */
export const LOOPBACK_URI = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:\/[^\s#\\]*)?)$/;

/** An https URI without user, fragment or spaces. The port may exceed 65535. */
const HTTPS_URI = /^https:\/\/[a-z0-9.-]+(:\d{1,5})?(\/[^\s#\\]*)?$/i;

const MAX_URI_CHARS = 2_048;

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: { canParse(url: string): boolean };

const isRedirectUri = (uri: string): boolean =>
  uri.length <= MAX_URI_CHARS && (HTTPS_URI.test(uri) || LOOPBACK_URI.test(uri)) && URL.canParse(uri);

const Name = textUpTo(100).check(rule((text) => (/[\p{Cc}\u2028\u2029]/u.test(text) ? "must be one line" : undefined)));

/** The rules of the fields of an assistant's client and of a grant (spec 13.3). */
export const assistantFields = {
  clientName: Name,
  redirectUris: Schema.Array(
    Text.check(
      rule((uri) =>
        isRedirectUri(uri) ? undefined : "must be an https address, or http to 127.0.0.1, [::1] or localhost",
      ),
    ),
  ).check(...entriesUpTo(20, "entries")),
  grantName: Name,
  sendPolicy: keyFields.sendPolicy,
};
