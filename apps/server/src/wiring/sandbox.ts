import type { AccountSettings } from "@postern/core/accounts";
import {
  DraftsFolderInMemory,
  MailInMemory,
  mailProvidersInMemory,
  MailTransportInMemory,
  MailWorld,
  SentFolderInMemory,
  SmtpInMemory,
} from "@postern/memory";
import { demoHome, demoMail, demoProviders } from "@postern/sandbox";
import { Layer } from "effect";

/** The mail servers of the sandbox, behind the same ports as real servers. */
export const sandboxMail = Layer.mergeAll(
  SentFolderInMemory,
  DraftsFolderInMemory,
  MailTransportInMemory,
  MailInMemory,
).pipe(
  Layer.merge(mailProvidersInMemory([demoHome, ...demoProviders])),
  Layer.provide([MailWorld.layer(demoMail), SmtpInMemory.layer]),
);

/** The settings of the sandbox. Discovery finds its other providers. */
export const SANDBOX: typeof AccountSettings.Service = {
  mode: "any",
  servers: { imap: { ...demoHome.imap, origin: "operator" }, smtp: { ...demoHome.smtp, origin: "operator" } },
  domains: [demoHome.domain],
  signInDomains: demoProviders.map(({ domain }) => domain),
};
