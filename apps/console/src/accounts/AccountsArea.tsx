import { Link, Route, Switch, useLocation, useRoute } from "wouter";
import { t } from "../texts/text.ts";
import { PREFIX } from "../api/prefix.ts";
import { useKeptFocus } from "../shell/kept-focus.ts";
import { PageFault } from "../shell/PageFault.tsx";
import { Wordmark } from "../ui/icons/Wordmark.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { AccountList } from "./AccountList.tsx";
import { AccountPage } from "./AccountPage.tsx";
import { AddAccount } from "./AddAccount.tsx";
import { Applications } from "./applications/Applications.tsx";
import { AuditList } from "./audit/AuditList.tsx";
import { forgetKey, useHasKey } from "./records/admin-key.ts";
import { ConnectLink } from "./ConnectLink.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { AddKey } from "./keys/AddKey.tsx";
import { KeyList } from "./keys/KeyList.tsx";
import { MetricsPage } from "./metrics/MetricsPage.tsx";
import { AddOAuthApp } from "./oauth/AddOAuthApp.tsx";
import { OAuthAppList } from "./oauth/OAuthAppList.tsx";
import { OperatorOutbox } from "./outbox/OperatorOutbox.tsx";
import { TabNav } from "../settings/TabNav.tsx";
import "../shell/shell.css";
import "../settings/settings.css";
import "./accounts.css";

const here = (isHere: boolean): string => (isHere ? "tab here" : "tab");

/** The pages of the operator: accounts, applications, keys, OAuth2 apps, outbox, audit and metrics (spec 15.4). */
export default function AccountsArea() {
  const hasKey = useHasKey();
  return hasKey ? <Pages /> : <KeyForm />;
}

const Pages = () => {
  const [isAtKeys] = useRoute("/accounts/keys/*?");
  const [isAtApps] = useRoute("/accounts/oauth/*?");
  const [isElsewhere] = useRoute(/^\/accounts\/(applications|keys|oauth|outbox|audit|metrics)(\/|$)/);
  const [location] = useLocation();
  useKeptFocus();
  return (
    <>
      <header className="area-bar">
        <Wordmark />
        <nav className="area-links" aria-label={t("Service")}>
          <Link href="/" className="tab">
            {t("Mailbox")}
          </Link>
          <a href={`${PREFIX}/docs`} target="_blank" rel="noreferrer" className="tab">
            {t("API reference")}
          </a>
          <Button look="quiet" onPress={forgetKey}>
            {t("Forget the key")}
          </Button>
        </nav>
      </header>
      <main id="content" className="page settings" tabIndex={-1}>
        <TabNav label={t("Administration")}>
          <Link href="/accounts" className={here(!isElsewhere)}>
            {t("Accounts")}
          </Link>
          <Link href="/accounts/applications" className={here}>
            {t("Applications")}
          </Link>
          <Link href="/accounts/keys" className={here(isAtKeys)}>
            {t("Service keys")}
          </Link>
          <Link href="/accounts/oauth" className={here(isAtApps)}>
            {t("OAuth2 apps")}
          </Link>
          <Link href="/accounts/outbox" className={here}>
            {t("Outbox")}
          </Link>
          <Link href="/accounts/audit" className={here}>
            {t("Audit")}
          </Link>
          <Link href="/accounts/metrics" className={here}>
            {t("Metrics")}
          </Link>
        </TabNav>
        <div className="settings-page">
          <PageFault at={location}>
            <Switch>
              <Route path="/accounts" component={AccountList} />
              <Route path="/accounts/new" component={AddAccount} />
              <Route path="/accounts/connect" component={ConnectLink} />
              <Route path="/accounts/keys" component={KeyList} />
              <Route path="/accounts/keys/new" component={AddKey} />
              <Route path="/accounts/oauth" component={OAuthAppList} />
              <Route path="/accounts/oauth/new" component={AddOAuthApp} />
              <Route path="/accounts/applications" component={Applications} />
              <Route path="/accounts/outbox" component={OperatorOutbox} />
              <Route path="/accounts/audit" component={AuditList} />
              <Route path="/accounts/metrics" component={MetricsPage} />
              <Route path="/accounts/:id" component={AccountPage} />
              <Route>
                <Empty title={t("Page not found")}>
                  <Link href="/accounts">{t("Go to the accounts")}</Link>
                </Empty>
              </Route>
            </Switch>
          </PageFault>
        </div>
      </main>
    </>
  );
};
