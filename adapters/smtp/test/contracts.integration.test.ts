import { mailTransportContract } from "@postern/testkit";
import { transportOnScriptedSmtp } from "./transport-on-scripted-smtp.ts";

mailTransportContract("MailTransport over SMTP", transportOnScriptedSmtp());
mailTransportContract(
  "MailTransport over SMTP, one connection per account",
  transportOnScriptedSmtp({ connectionsPerAccount: 1 }, { extensions: ["SIZE 1000000", "AUTH PLAIN"] }),
);
