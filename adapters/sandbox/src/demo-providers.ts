/** The mail provider of the demo accounts: the servers of the sandbox itself. */
export const demoHome = {
  domain: "postern.test",
  imap: { host: "imap.postern.test", port: 993, tls: "implicit" },
  smtp: { host: "smtp.postern.test", port: 465, tls: "implicit" },
  signIn: [{ kind: "password" }],
  ownersPassword: null,
} as const;

/** Other providers, whose servers are discovered. One accepts passwords, the other only app passwords. */
export const demoProviders = [
  {
    domain: "simple.test",
    imap: { host: "imap.simple.test", port: 993, tls: "implicit" },
    smtp: { host: "smtp.simple.test", port: 587, tls: "starttls" },
    signIn: [{ kind: "password" }],
    ownersPassword: null,
  },
  {
    domain: "strict.test",
    imap: { host: "imap.strict.test", port: 993, tls: "implicit" },
    smtp: { host: "smtp.strict.test", port: 465, tls: "implicit" },
    signIn: [{ kind: "app_password", helpPage: "https://help.strict.test/app-passwords" }],
    ownersPassword: "demo",
  },
] as const;

/** The accounts at the other providers. */
export const demoAccountsElsewhere = [
  { address: "casey@simple.test", password: "demo" },
  { address: "jordan@strict.test", password: "demo-app-password" },
] as const;
