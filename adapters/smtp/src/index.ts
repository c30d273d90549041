import type { HostAdmission } from "@postern/core/accounts";
import type { MailCredentials } from "@postern/core/oauth";
import type { MailServers } from "@postern/core/mail";
import type { MailTransport } from "@postern/core/send";
import type { EgressGuard } from "@postern/core/shared";
import { Layer } from "effect";
import { layer as mailTransport } from "./send/MailTransport.ts";
import { SmtpConnections } from "./SmtpConnections.ts";
import { settingsOf, type SmtpOptions } from "./SmtpOptions.ts";

export { probeSmtp } from "./accounts/probe-smtp.ts";
export { layer as MessageComposerByNodemailer } from "./send/MessageComposer.ts";
export { type NoticeServer, withNotices } from "./send/with-notices.ts";
export type { SmtpOptions, SmtpTimeouts } from "./SmtpOptions.ts";

/** The SMTP adapter: submits messages to the accounts' servers (spec 6). */
export const layer = (
  options: SmtpOptions = {},
): Layer.Layer<MailTransport, never, MailServers | MailCredentials | EgressGuard | HostAdmission> => {
  const settings = settingsOf(options);
  return Layer.provide(mailTransport(settings), SmtpConnections.layer(settings));
};
