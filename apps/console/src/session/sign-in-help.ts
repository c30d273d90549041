import { markText, t } from "../texts/text.ts";

const CREDENTIALS = [
  markText("Check the spelling of the address and the password."),
  markText(
    "Some providers refuse your own password in other programs: create an app password in the security settings of your account and enter it here.",
  ),
  markText("Some providers let other programs in only after you enable IMAP in the settings of your mailbox."),
];
const SERVERS = [
  markText("Your password was not refused: the mail server of your address could not be used."),
  markText("Try again in a few minutes. If it still fails, check the spelling of the part after the @."),
  markText("If webmail works but this does not, send the request id below to the operator of this service."),
];

/** The codes of a refused password that allow a sign-in with the consent of a provider. */
export const PASSWORD_REFUSALS: ReadonlySet<string> = new Set([
  "invalid_credentials",
  "app_password_required",
  "basic_auth_disabled",
  "oauth_required",
]);

/**
 * Returns advice for a refused sign-in, by the code of the problem. `providers` are the names of the providers with
 * which the address may sign in without a password.
 */
export const signInHelp = (code: string, providers: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const ways = providers
    .map((provider) => t("“Continue with {provider}”", { provider }))
    // The format of English lists would have a comma before “or”.
    .reduce((one, other) => (one === "" ? other : t("{one} or {other}", { one, other })), "");
  if (code === "basic_auth_disabled" || code === "oauth_required") {
    return [
      ways === ""
        ? t("Your mail provider accepts no passwords from other programs. Ask the operator of this service.")
        : t("Your mail provider accepts no passwords from other programs. Choose {ways} below.", { ways }),
    ];
  }
  if (code === "app_password_required") {
    return [
      t(
        "Your mail provider refuses your own password in other programs: create an app password in the security settings of your account and enter it here.",
      ),
      ...(ways === "" ? [] : [t("Or choose {ways} below.", { ways })]),
    ];
  }
  if (code === "invalid_credentials") {
    const [spelling, ...others] = CREDENTIALS.map((step) => t(step));
    return ways === ""
      ? [spelling!, ...others]
      : [
          spelling!,
          t("Some providers accept no passwords from other programs: choose {ways} below.", { ways }),
          ...others,
        ];
  }
  if (code === "imap_disabled") return [t("Enable IMAP in the settings of your mailbox, then sign in again.")];
  if (code.startsWith("mail_server_")) return SERVERS.map((step) => t(step));
  if (code === "account_paused") return [t("The operator of this service has paused the account, and can resume it.")];
  if (code === "https_required") return [t("Open this page over https, or on the machine of the service.")];
  return [];
};
