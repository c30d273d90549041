import { layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import type { MailboxTree } from "@postern/core/folders";
import type { MailboxReader } from "@postern/core/messages";
import type { Layer } from "effect";
import type { MailServerControl } from "../../controls/MailServerControl.ts";
import { mailboxViews } from "./mailbox-views.ts";
import { mailAttachments } from "./mail-attachments.ts";
import { mailSummaries } from "./mail-summaries.ts";

/**
 * The contract of `MailboxReader` (spec 5): views with fixed positions, and the summaries of a listing. All names but INBOX
 * begin with `prefix`; a server without modification sequences reports no `states`.
 */
export const mailboxReaderContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxReader | MailboxTree | CredentialVault | MailServerControl, E>,
  { prefix = "", states = true }: { readonly prefix?: string; readonly states?: boolean } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    mailboxViews(it, { prefix, states });
    mailSummaries(it);
    mailAttachments(it);
  });
