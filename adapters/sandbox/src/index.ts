export { demoAccounts, demoMail } from "./demo-mail.ts";
export { demoAccountsElsewhere, demoHome, demoProviders } from "./demo-providers.ts";
