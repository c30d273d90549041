export { demoAccounts, demoMail } from "./demo-mail.ts";
