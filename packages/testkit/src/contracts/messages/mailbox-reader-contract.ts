import { layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import type { MailboxTree } from "@postern/core/folders";
import type { MailboxReader } from "@postern/core/messages";
import type { Layer } from "effect";
import type { MailServerControl } from "../../MailServerControl.ts";
import { mailboxViews } from "./mailbox-views.ts";
import { mailAttachments } from "./mail-attachments.ts";
import { mailSummaries } from "./mail-summaries.ts";

/** The contract of `MailboxReader` (spec 5): views with fixed positions, and the summaries of a listing. */
export const mailboxReaderContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxReader | MailboxTree | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    mailboxViews(it);
    mailSummaries(it);
    mailAttachments(it);
  });
