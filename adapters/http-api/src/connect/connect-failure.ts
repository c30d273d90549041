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

/** Why a connection or a sign-in by consent failed. */
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

/** A failure in the words for the user; `code` is for the application. */
export interface FailurePage {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly text: string;
}

const EXPIRED: FailurePage = {
  status: 410,
  code: "link_expired",
  title: "This link can no longer be used",
  text: "It works once, within ten minutes, and only in the browser in which it was opened. Go back to where you came from and ask for a new one.",
};

const OTHER_USER: FailurePage = {
  status: 403,
  code: "other_user",
  title: "The mailbox did not open for this user",
  text: "You consented as another user than the one whose mailbox this is, or the mailbox may not be used in this way. Sign out at the provider, or choose the other user there, and try again.",
};

const REFUSED: FailurePage = {
  status: 403,
  code: "refused",
  title: "The sign-in was refused",
  text: "Check the address and the password, or the user that you chose at the provider. Without an account here, ask the operator for one.",
};

const SERVER_FAULT: FailurePage = {
  status: 502,
  code: "mail_server_fault",
  title: "The mail server did not answer as it should",
  text: "Nothing was changed. Try again in a few minutes.",
};

const PROVIDER_FAULT: FailurePage = {
  status: 502,
  code: "provider_fault",
  title: "The provider did not answer as it should",
  text: "Nothing was changed. Try again in a few minutes.",
};

const UNAVAILABLE: FailurePage = {
  status: 429,
  code: "too_many_requests",
  title: "Too many tries",
  text: "Wait a few minutes, then try again.",
};

const NO_ADDRESS: FailurePage = {
  status: 400,
  code: "address_malformed",
  title: "This is no e-mail address",
  text: "Check the address, and try again.",
};

const PAGES: { readonly [Tag in Exclude<ConnectFailure["_tag"], "AccountUnverified">]: FailurePage } = {
  LinkExpired: EXPIRED,
  ConsentExpired: EXPIRED,
  CallbackRejected: {
    status: 400,
    code: "callback_rejected",
    title: "The answer of the provider cannot be used",
    text: "It does not belong to what this browser asked for, so nothing was changed. Start again.",
  },
  ConsentDenied: {
    status: 403,
    code: "access_denied",
    title: "You did not give your consent",
    text: "Nothing was changed. You can start again at any time.",
  },
  OtherIdentity: OTHER_USER,
  PasswordRefused: REFUSED,
  LoginRefused: REFUSED,
  AddressMalformed: NO_ADDRESS,
  InputInvalid: NO_ADDRESS,
  GrantRefused: {
    status: 403,
    code: "grant_refused",
    title: "The provider gave no access",
    text: "It refused the consent, or its answer was used before. Start again.",
  },
  GrantInvalid: {
    status: 403,
    code: "address_not_allowed",
    title: "This address cannot be connected here",
    text: "The provider that was chosen is not for the domain of the address. Check the address.",
  },
  AppMisconfigured: {
    status: 502,
    code: "app_misconfigured",
    title: "The provider does not accept this service",
    text: "Its operator has to correct the registration at the provider. The log of the service says why.",
  },
  AppMissing: {
    status: 403,
    code: "provider_not_supported",
    title: "This provider takes no passwords",
    text: "It wants your consent, for which this service is not registered there. Use another address, or ask the operator of this service.",
  },
  AppNotFound: {
    status: 404,
    code: "provider_unknown",
    title: "This way to sign in does not exist any more",
    text: "The operator of this service has removed it. Go back, and choose another way.",
  },
  HttpsMissing: {
    status: 403,
    code: "https_required",
    title: "Open this page over https",
    text: "Without it others on the network could read the sign-in. Start again at the https address of this service.",
  },
  ProviderUnavailable: PROVIDER_FAULT,
  MailServerError: SERVER_FAULT,
  StoreUnavailable: { ...SERVER_FAULT, status: 503, code: "unavailable", title: "The service is not available" },
  HostLimited: UNAVAILABLE,
  TooManyConsents: UNAVAILABLE,
  TooManyLoginFailures: UNAVAILABLE,
  OutsideReach: {
    status: 403,
    code: "address_not_allowed",
    title: "This address cannot be connected here",
    text: "The application that sent you may not use it. Check the address.",
  },
  AccountNotFound: EXPIRED,
  AccountBeingRemoved: {
    status: 409,
    code: "account_being_removed",
    title: "The account is being removed",
    text: "Its data is still being erased. Try again in a minute.",
  },
};

/** Returns the failure that is shown to the user. All server faults have the same text, and so have all credential faults. */
export const failurePage = (error: ConnectFailure): FailurePage => {
  if (error._tag !== "AccountUnverified") return PAGES[error._tag];
  const cause = causeOf({ imap: error.imap, smtp: error.smtp });
  return cause !== null && CREDENTIAL_CAUSES.has(cause) ? OTHER_USER : SERVER_FAULT;
};
