import { mailTransportContract, tokensOnly } from "@postern/testkit";
import { tokenOf, transportOnScriptedSmtp } from "./transport-on-scripted-smtp.ts";

mailTransportContract("MailTransport over SMTP", transportOnScriptedSmtp());
mailTransportContract(
  "MailTransport over SMTP, one connection per account",
  transportOnScriptedSmtp({ connectionsPerAccount: 1 }, { extensions: ["SIZE 1000000", "AUTH PLAIN"] }),
);
for (const mechanisms of ["LOGIN PLAIN XOAUTH2 OAUTHBEARER", "XOAUTH2"]) {
  mailTransportContract(
    `MailTransport over SMTP with access tokens, AUTH ${mechanisms}`,
    transportOnScriptedSmtp(
      {},
      { extensions: ["SIZE 1000000", `AUTH ${mechanisms}`] },
      "plaintext",
      tokensOnly(tokenOf),
    ),
  );
}
