import { HttpApi, OpenApi } from "effect/http-api";
import { AccountGroup } from "./groups/AccountGroup.ts";
import { AuthGroup } from "./groups/AuthGroup.ts";
import { EventsGroup } from "./groups/EventsGroup.ts";
import { FolderSettingsGroup } from "./groups/FolderSettingsGroup.ts";
import { FoldersGroup } from "./groups/FoldersGroup.ts";
import { InboxGroup } from "./groups/InboxGroup.ts";
import { MessagesGroup } from "./groups/MessagesGroup.ts";
import { SearchGroup } from "./groups/SearchGroup.ts";
import { SendGroup } from "./groups/SendGroup.ts";
import { ServiceGroup } from "./groups/ServiceGroup.ts";
import { UploadsGroup } from "./groups/UploadsGroup.ts";
import { RequestValidation } from "./RequestValidation.ts";
import { WebhooksGroup } from "./groups/WebhooksGroup.ts";
import { tidyDocument } from "./tidy-document.ts";

/** Requests are read strictly, and told all that is wrong with them at once (spec 2). */
const STRICT = { errors: "all", onExcessProperty: "error" } as const;

/** The whole HTTP contract of Postern: what servers serve and clients are generated from. */
export class PosternApi extends HttpApi.make("postern")
  .add(
    AuthGroup,
    AccountGroup,
    FoldersGroup,
    FolderSettingsGroup,
    InboxGroup,
    MessagesGroup,
    SearchGroup,
    SendGroup,
    UploadsGroup,
    EventsGroup,
    WebhooksGroup,
    ServiceGroup,
  )
  .middleware(RequestValidation)
  .annotate(HttpApi.PayloadParseOptions, STRICT)
  .annotate(HttpApi.QueryParseOptions, STRICT)
  .annotate(OpenApi.Title, "Postern")
  .annotate(OpenApi.Version, "0.1.0")
  .annotate(OpenApi.License, { name: "MIT" })
  .annotate(OpenApi.Transform, tidyDocument)
  .annotate(
    OpenApi.Description,
    "Any IMAP/SMTP mailbox as an HTTP API. Errors are RFC 9457 problems; `code` says which.",
  ) {}
