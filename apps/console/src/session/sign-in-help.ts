const CREDENTIALS = [
  "Check the spelling of the address and the password.",
  "Some providers refuse your own password in other programs: create an app password in the security settings of your account and enter it here.",
  "Some providers let other programs in only after you enable IMAP in the settings of your mailbox.",
];
const SERVERS = [
  "Your password was not refused: the mail server of your address could not be used.",
  "Try again in a few minutes. If it still fails, check the spelling of the part after the @.",
  "If webmail works but this does not, send the request id below to the operator of this service.",
];

const APP_PASSWORD =
  "Your mail provider refuses your own password in other programs: create an app password in the security settings of your account and enter it here.";
const NO_PASSWORDS = "Your mail provider accepts no passwords from other programs.";

/** The codes of a refused password that allow a sign-in with the consent of a provider. */
export const PASSWORD_REFUSALS: ReadonlySet<string> = new Set([
  "invalid_credentials",
  "app_password_required",
  "basic_auth_disabled",
  "oauth_required",
]);

/**
 * Returns what to do about a refused sign-in, by the code of the problem. `providers` are the names of the providers
 * with which the address may sign in without a password.
 */
export const signInHelp = (code: string, providers: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const ways = providers.map((name) => `“Continue with ${name}”`).join(" or ");
  if (code === "basic_auth_disabled" || code === "oauth_required") {
    return [`${NO_PASSWORDS} ${ways === "" ? "Ask the operator of this service." : `Choose ${ways} below.`}`];
  }
  if (code === "app_password_required") return [APP_PASSWORD, ...(ways === "" ? [] : [`Or choose ${ways} below.`])];
  if (code === "invalid_credentials") {
    const [spelling, ...others] = CREDENTIALS;
    return ways === ""
      ? CREDENTIALS
      : [spelling!, `Some providers accept no passwords from other programs: choose ${ways} below.`, ...others];
  }
  if (code === "imap_disabled") return ["Enable IMAP in the settings of your mailbox, then sign in again."];
  if (code.startsWith("mail_server_")) return SERVERS;
  if (code === "account_paused") return ["The operator of this service has paused the account, and can resume it."];
  if (code === "https_required") return ["Open this page over https, or on the machine of the service."];
  return [];
};
