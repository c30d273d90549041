import { causeOf, CREDENTIAL_CAUSES } from "@postern/core/accounts";
import type { SignInError, ConnectionError } from "@postern/core/lifecycle";
import type { LoginRefused, TooManyLoginFailures } from "@postern/core/auth";
import type {
  AppNotFound,
  CallbackRejected,
  ConsentDenied,
  ConsentExpired,
  LinkExpired,
  OtherIdentity,
  ProviderError,
  TooManyConsents,
} from "@postern/core/oauth";
import type { PageLanguage } from "../wire/accepted-language.ts";
import { FAILURE_TEXTS, type FailureName } from "./failure-texts.ts";

/** The reasons why a connection or a sign-in by consent failed. */
export type ConnectFailure =
  /** The provider accepts only consents, and no app is configured for it. */
  | { readonly _tag: "AppMissing" }
  | AppNotFound
  | CallbackRejected
  | ConnectionError
  | ConsentDenied
  | ConsentExpired
  | { readonly _tag: "HttpsMissing" }
  | LinkExpired
  | LoginRefused
  | OtherIdentity
  | ProviderError
  | SignInError
  | TooManyConsents
  | TooManyLoginFailures;

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly name: FailureName;
}

/** A failure in the words for the user; `code` is for the application. */
export interface FailurePage {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly text: string;
}

const EXPIRED: Failure = { status: 410, code: "link_expired", name: "expired" };

const OTHER_USER: Failure = { status: 403, code: "other_user", name: "otherUser" };

const REFUSED: Failure = { status: 403, code: "refused", name: "refused" };

const SERVER_FAULT: Failure = { status: 502, code: "mail_server_fault", name: "mailServerFault" };

const PROVIDER_FAULT: Failure = { status: 502, code: "provider_fault", name: "providerFault" };

const UNAVAILABLE: Failure = { status: 429, code: "too_many_requests", name: "tooManyTries" };

const NO_ADDRESS: Failure = { status: 400, code: "address_malformed", name: "noAddress" };

const FAILURES: { readonly [Tag in Exclude<ConnectFailure["_tag"], "AccountUnverified">]: Failure } = {
  LinkExpired: EXPIRED,
  ConsentExpired: EXPIRED,
  CallbackRejected: { status: 400, code: "callback_rejected", name: "callbackRejected" },
  ConsentDenied: { status: 403, code: "access_denied", name: "consentDenied" },
  OtherIdentity: OTHER_USER,
  PasswordRefused: REFUSED,
  LoginRefused: REFUSED,
  AddressMalformed: NO_ADDRESS,
  InputInvalid: NO_ADDRESS,
  GrantRefused: { status: 403, code: "grant_refused", name: "grantRefused" },
  GrantInvalid: { status: 403, code: "address_not_allowed", name: "otherDomain" },
  AppMisconfigured: { status: 502, code: "app_misconfigured", name: "appMisconfigured" },
  AppMissing: { status: 403, code: "provider_not_supported", name: "appMissing" },
  AppNotFound: { status: 404, code: "provider_unknown", name: "appUnknown" },
  HttpsMissing: { status: 403, code: "https_required", name: "httpsMissing" },
  ProviderUnavailable: PROVIDER_FAULT,
  MailServerError: SERVER_FAULT,
  StoreUnavailable: { status: 503, code: "unavailable", name: "unavailable" },
  HostLimited: UNAVAILABLE,
  TooManyConsents: UNAVAILABLE,
  TooManyLoginFailures: UNAVAILABLE,
  OutsideReach: { status: 403, code: "address_not_allowed", name: "outsideReach" },
  AccountNotFound: EXPIRED,
  AccountBeingRemoved: { status: 409, code: "account_being_removed", name: "beingRemoved" },
};

const failureOf = (error: ConnectFailure): Failure => {
  if (error._tag !== "AccountUnverified") return FAILURES[error._tag];
  const cause = causeOf({ imap: error.imap, smtp: error.smtp });
  return cause !== null && CREDENTIAL_CAUSES.has(cause) ? OTHER_USER : SERVER_FAULT;
};

/** Returns the failure that is shown to the user. All server faults have the same text, and so have all credential faults. */
export const failurePage = (error: ConnectFailure, lang: PageLanguage): FailurePage => {
  const { status, code, name } = failureOf(error);
  const [title, text] = FAILURE_TEXTS[lang][name];
  return { status, code, title, text };
};
