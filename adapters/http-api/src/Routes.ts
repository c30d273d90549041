import { openApiDocument, PosternApi } from "@postern/api";
import { Effect, Layer } from "effect";
import { HttpRouter } from "effect/http";
import { HttpApi, HttpApiBuilder } from "effect/http-api";
import { ASSISTANT_PAGES, AssistantPages } from "./assistants/AssistantPages.ts";
import { AuthorizationByCredential } from "./auth/AuthorizationByCredential.ts";
import { answerPage, compressPage } from "./pages/compressed-page.ts";
import { CONNECT_PAGES, ConnectPages } from "./connect/ConnectPages.ts";
import { DocsPage } from "./pages/DocsPage.ts";
import { documentAddress } from "./pages/document-address.ts";
import { Edge } from "./edge/Edge.ts";
import { type Guide, GUIDES_PATH, GuidePages } from "./pages/GuidePages.ts";
import { AccountHandlers } from "./handlers/AccountHandlers.ts";
import { AnswersHandlers } from "./handlers/mail/AnswersHandlers.ts";
import { BlocksHandlers } from "./handlers/mail/BlocksHandlers.ts";
import { ContactsHandlers } from "./handlers/mail/ContactsHandlers.ts";
import { ChangesHandlers } from "./handlers/events/ChangesHandlers.ts";
import { ApprovalsHandlers } from "./handlers/ApprovalsHandlers.ts";
import { AuditHandlers } from "./handlers/AuditHandlers.ts";
import { AuthHandlers } from "./handlers/AuthHandlers.ts";
import { DraftsHandlers } from "./handlers/DraftsHandlers.ts";
import { EventsHandlers } from "./handlers/events/EventsHandlers.ts";
import { FolderSettingsHandlers } from "./handlers/FolderSettingsHandlers.ts";
import { FoldersHandlers } from "./handlers/FoldersHandlers.ts";
import { IdentitiesHandlers } from "./handlers/IdentitiesHandlers.ts";
import { InboxHandlers } from "./handlers/InboxHandlers.ts";
import { AccountsHandlers } from "./handlers/AccountsHandlers.ts";
import { KeysHandlers } from "./handlers/KeysHandlers.ts";
import { MessagesHandlers } from "./handlers/MessagesHandlers.ts";
import { OAuthAppsHandlers } from "./handlers/OAuthAppsHandlers.ts";
import { GrantsHandlers } from "./handlers/assistants/GrantsHandlers.ts";
import { OAuthClientsHandlers } from "./handlers/assistants/OAuthClientsHandlers.ts";
import { OperatorHandlers } from "./handlers/OperatorHandlers.ts";
import { SearchHandlers } from "./handlers/SearchHandlers.ts";
import { SendHandlers } from "./handlers/SendHandlers.ts";
import { ServiceHandlers } from "./handlers/ServiceHandlers.ts";
import { WebhooksHandlers } from "./handlers/WebhooksHandlers.ts";
import { UploadsHandlers } from "./handlers/UploadsHandlers.ts";
import { McpEndpoint } from "./mcp/McpEndpoint.ts";
import { MetricsPage } from "./pages/MetricsPage.ts";
import { VerificationPage } from "./pages/VerificationPage.ts";
import { methodRoutes } from "./edge/method-routes.ts";
import { OpenPixel } from "./pages/OpenPixel.ts";
import { PublicAddress, type PublicAddressOptions } from "./edge/PublicAddress.ts";
import { InFlight } from "./edge/InFlight.ts";
import { RequestValidationByContract } from "./edge/RequestValidationByContract.ts";

const ApiRoutes = HttpApiBuilder.layer(PosternApi).pipe(
  Layer.provide([
    AuthHandlers,
    AccountHandlers,
    FoldersHandlers,
    FolderSettingsHandlers,
    InboxHandlers,
    MessagesHandlers,
    AnswersHandlers,
    BlocksHandlers,
    ContactsHandlers,
    SearchHandlers,
    SendHandlers,
    DraftsHandlers,
    ApprovalsHandlers,
    IdentitiesHandlers,
    EventsHandlers,
    UploadsHandlers,
    ServiceHandlers,
    WebhooksHandlers,
    AccountsHandlers,
    KeysHandlers,
    OAuthAppsHandlers,
    GrantsHandlers,
    OAuthClientsHandlers,
    OperatorHandlers,
    AuditHandlers,
    ChangesHandlers,
  ]),
  Layer.provide([AuthorizationByCredential, RequestValidationByContract]),
);

/** Pages at paths outside the contract. */
const PAGES = [
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/llms.txt" },
  { method: "GET", path: GUIDES_PATH },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/metrics" },
  { method: "GET", path: "/t/:picture" },
  { method: "GET", path: "/verify/:token" },
  { method: "POST", path: "/verify/:token" },
  ...["GET", "POST", "DELETE"].map((method) => ({ method, path: "/mcp" })),
  { method: "GET", path: "/.well-known/oauth-protected-resource/mcp" },
  ...CONNECT_PAGES,
  ...ASSISTANT_PAGES,
] as const;

const OpenApiRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const address = yield* documentAddress;
    const document = yield* Effect.cached(
      Effect.suspend(() => compressPage(openApiDocument(address), "application/json")),
    );
    yield* router.add("GET", "/openapi.json", Effect.flatMap(document, answerPage));
  }),
);

const takenRoutes = () => {
  const taken: Array<{ readonly method: string; readonly path: string }> = [...PAGES];
  HttpApi.reflect(PosternApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => taken.push(endpoint),
  });
  return taken;
};

const OtherMethods = HttpRouter.use((router) => router.addAll(methodRoutes(takenRoutes())));

/** Returns the patterns of all paths that `Routes` answers. */
export const routePaths = (): ReadonlyArray<string> => takenRoutes().map(({ path }) => path);

export interface RoutesOptions extends PublicAddressOptions {
  /** The documentation pages to serve; none by default. */
  readonly guides?: ReadonlyArray<Guide>;
}

/** All HTTP routes of Postern, for a server of the framework or, by `HttpRouter.toWebHandler`, as a fetch handler inside another application. */
export const Routes = ({ guides = [], ...address }: RoutesOptions) =>
  Layer.mergeAll(
    ApiRoutes,
    OpenApiRoute,
    OpenPixel,
    VerificationPage,
    DocsPage,
    GuidePages(guides),
    MetricsPage,
    ConnectPages,
    AssistantPages,
    McpEndpoint,
    OtherMethods,
    Edge,
  ).pipe(Layer.provide([PublicAddress.layer(address), InFlight.layer]));
