import { Schema } from "effect";
import { accountFields, MailServerInput } from "../accounts/rules.ts";
import { textUpTo } from "../shared/rules.ts";

const AppId = textUpTo(63);
const Url = textUpTo(2_048);

/** The rules of each field of an OAuth2 app (spec 11.1); `appOf` has the rules about several fields. */
export const appFields = {
  id: AppId,
  label: textUpTo(63),
  issuer: Url,
  tenant: textUpTo(253),
  clientId: textUpTo(512),
  clientSecret: textUpTo(4_096),
  privateKey: textUpTo(16_384),
  tokenUrl: Url,
  scopes: Schema.Array(textUpTo(512)),
  imap: MailServerInput,
  smtp: MailServerInput,
  domains: Schema.Array(textUpTo(253)),
};

/** The rules of the fields of a grant in a request. */
export const grantFields = {
  app: AppId,
  refreshToken: textUpTo(16_384),
  delegateOf: textUpTo(512),
};

/** The rules of the fields of a request to connect an account (spec 11.3). */
export const connectFields = {
  email: accountFields.email,
  provider: AppId,
  redirectUrl: Url,
  tags: accountFields.tags,
  state: textUpTo(1_024),
};
