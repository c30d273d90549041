import { HttpApi, OpenApi } from "effect/http-api";
import { AccountsGroup } from "./groups/accounts/AccountsGroup.ts";
import { AccountGroup } from "./groups/AccountGroup.ts";
import { AnswersGroup } from "./groups/mail/AnswersGroup.ts";
import { BlocksGroup } from "./groups/mail/BlocksGroup.ts";
import { ContactsGroup } from "./groups/mail/ContactsGroup.ts";
import { ChangesGroup } from "./groups/ChangesGroup.ts";
import { ApprovalsGroup } from "./groups/agents/ApprovalsGroup.ts";
import { GrantsGroup } from "./groups/assistants/GrantsGroup.ts";
import { OAuthClientsGroup } from "./groups/assistants/OAuthClientsGroup.ts";
import { AuditGroup } from "./groups/AuditGroup.ts";
import { AuthGroup } from "./groups/AuthGroup.ts";
import { DraftsGroup } from "./groups/DraftsGroup.ts";
import { EventsGroup } from "./groups/EventsGroup.ts";
import { FolderSettingsGroup } from "./groups/FolderSettingsGroup.ts";
import { FoldersGroup } from "./groups/FoldersGroup.ts";
import { IdentitiesGroup } from "./groups/IdentitiesGroup.ts";
import { InboxGroup } from "./groups/InboxGroup.ts";
import { KeysGroup } from "./groups/keys/KeysGroup.ts";
import { MessagesGroup } from "./groups/MessagesGroup.ts";
import { OAuthAppsGroup } from "./groups/OAuthAppsGroup.ts";
import { OperatorGroup } from "./groups/OperatorGroup.ts";
import { SearchGroup } from "./groups/SearchGroup.ts";
import { SendGroup } from "./groups/SendGroup.ts";
import { ServiceGroup } from "./groups/ServiceGroup.ts";
import { UploadsGroup } from "./groups/UploadsGroup.ts";
import { RequestValidation } from "./RequestValidation.ts";
import { WebhooksGroup } from "./groups/WebhooksGroup.ts";
import { tidyDocument } from "./document/tidy-document.ts";

/** Requests are decoded strictly, and every fault is reported at once (spec 2). */
const STRICT = { errors: "all", onExcessProperty: "error" } as const;

const LICENSE = { name: "MIT", identifier: "MIT" };

const DESCRIPTION = `Postern gives access to an IMAP/SMTP mailbox over HTTP.

Sign in with \`POST /api/auth/mobile-login\`, then send \`Authorization: Bearer <token>\` with every request. Bodies are JSON;
times are ISO 8601 in UTC; sizes are in bytes. Unknown fields and parameters are refused.

Every failure is a problem (RFC 9457, \`application/problem+json\`): \`code\` identifies the problem, \`errors\` lists the invalid fields,
and \`requestId\`, also in the header \`X-Request-Id\`, identifies the request in the log. Besides the codes listed with an operation, any
request can be answered with \`not_found\` (404), \`method_not_allowed\` (405), \`unsupported_media_type\` (415),
\`payload_too_large\` (413), \`overloaded\` or \`not_ready\` (503) and \`internal_error\` (500). If an answer has
\`Retry-After\`, wait that many seconds.`;

/** The HTTP contract of Postern: the server implements it, and clients are generated from it. */
export class PosternApi extends HttpApi.make("postern")
  .add(
    AuthGroup,
    AccountGroup,
    AccountsGroup,
    FoldersGroup,
    FolderSettingsGroup,
    InboxGroup,
    MessagesGroup,
    AnswersGroup,
    BlocksGroup,
    ContactsGroup,
    SearchGroup,
    SendGroup,
    DraftsGroup,
    ApprovalsGroup,
    IdentitiesGroup,
    UploadsGroup,
    EventsGroup,
    WebhooksGroup,
    KeysGroup,
    OAuthAppsGroup,
    GrantsGroup,
    OAuthClientsGroup,
    OperatorGroup,
    AuditGroup,
    ChangesGroup,
    ServiceGroup,
  )
  .middleware(RequestValidation)
  .annotate(HttpApi.PayloadParseOptions, STRICT)
  .annotate(HttpApi.QueryParseOptions, STRICT)
  .annotate(OpenApi.Title, "Postern")
  .annotate(OpenApi.Version, "0.1.0")
  .annotate(OpenApi.License, LICENSE)
  .annotate(OpenApi.Transform, tidyDocument)
  .annotate(OpenApi.Description, DESCRIPTION) {}
