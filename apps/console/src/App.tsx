import { Suspense, useEffect } from "react";
import { RouterProvider } from "react-aria-components";
import { Link, Redirect, Route, Switch, useLocation, useRoute, useSearchParams } from "wouter";
import { t } from "./texts/text.ts";
import { useSession } from "./session/session.ts";
import { lazyPage } from "./shell/lazy-page.tsx";
import { PageFault } from "./shell/PageFault.tsx";
import { ALL_INBOXES } from "./shell/folders.ts";
import { Shell } from "./shell/Shell.tsx";
import { resumeActions } from "./mail/actions/message-actions.ts";
import { MailPage } from "./mail/MailPage.tsx";
import { Empty } from "./ui/Empty.tsx";
import { Failed } from "./ui/Failed.tsx";
import { Toasts } from "./ui/Toasts.tsx";

const Accounts = lazyPage("accounts", () => import("./accounts/AccountsArea.tsx"));
const Compose = lazyPage("compose", () => import("./compose/ComposePage.tsx"));
const Drafts = lazyPage("drafts", () => import("./compose/DraftsPage.tsx"));
const JoinedInbox = lazyPage("joinedInbox", () => import("./mail/joined/JoinedInbox.tsx"));
const Outbox = lazyPage("outbox", () => import("./outbox/OutboxPage.tsx"));
const SignIn = lazyPage("signIn", () => import("./session/SignIn.tsx"));
const Settings = lazyPage("settings", () => import("./settings/SettingsPages.tsx"));

/** The console: the mailbox of a user, or the accounts of the service for its operator. */
export const App = () => {
  const [isAtAccounts] = useRoute("/accounts/*?");
  const [location, navigate] = useLocation();
  return (
    <RouterProvider navigate={navigate}>
      {isAtAccounts ? (
        <PageFault at={location}>
          <Suspense fallback={<main aria-busy="true" />}>
            <Accounts />
          </Suspense>
        </PageFault>
      ) : (
        <Mailbox />
      )}
      <Toasts />
    </RouterProvider>
  );
};

/** The pages of the signed-in account, or the sign-in page without a session. */
const Mailbox = () => {
  const session = useSession();
  const [location] = useLocation();
  const [query] = useSearchParams();
  const email = session.data?.email;
  useEffect(() => {
    if (email !== undefined) void resumeActions(email);
  }, [email]);
  if (session.isPending) return <main aria-busy="true" />;
  if (session.isError) {
    return (
      <main>
        <Failed error={session.error} onRetry={session.refetch} />
      </main>
    );
  }
  if (session.data === null || query.has("add-account")) {
    return (
      <Suspense fallback={<main aria-busy="true" />}>
        <SignIn isAdding={session.data !== null} />
      </Suspense>
    );
  }
  return (
    <Shell email={session.data.email}>
      <PageFault at={location}>
        <Suspense fallback={<main aria-busy="true" />}>
          <Switch>
            <Route path="/mail/drafts" component={Drafts} />
            <Route path={ALL_INBOXES} component={JoinedInbox} />
            <Route path="/mail/:folder/:message?" component={MailPage} />
            <Route path="/search/:message?" component={MailPage} />
            <Route path="/compose" component={Compose} />
            <Route path="/outbox" component={Outbox} />
            <Route path="/settings/*?" component={Settings} />
            <Route path="/">
              <Redirect to="/mail/inbox" replace />
            </Route>
            <Route>
              <main className="page">
                <Empty title={t("Page not found")}>
                  <Link href="/mail/inbox">{t("Go to the inbox")}</Link>
                </Empty>
              </main>
            </Route>
          </Switch>
        </Suspense>
      </PageFault>
    </Shell>
  );
};
