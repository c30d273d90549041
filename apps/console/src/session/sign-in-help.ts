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

const REFUSALS: Readonly<Record<string, string>> = {
  app_password_required:
    "Your mail provider refuses your own password in other programs: create an app password in the security settings of your account and enter it here.",
  imap_disabled: "Enable IMAP in the settings of your mailbox, then sign in again.",
  basic_auth_disabled: "Your mail provider accepts no passwords from other programs. Ask the operator of this service.",
  oauth_required: "Your mail provider accepts no passwords from other programs. Ask the operator of this service.",
};

/** Returns what to do about a refused sign-in, by the code of the problem. */
export const signInHelp = (code: string): ReadonlyArray<string> => {
  if (code === "invalid_credentials") return CREDENTIALS;
  const refusal = REFUSALS[code];
  if (refusal !== undefined) return [refusal];
  if (code.startsWith("mail_server_")) return SERVERS;
  if (code === "account_paused") return ["The operator of this service has paused the account, and can resume it."];
  if (code === "https_required") return ["Open this page over https, or on the machine of the service."];
  return [];
};
