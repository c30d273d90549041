import { Suspense } from "react";
import { Link, Redirect, Route, Switch, useRoute } from "wouter";
import { t } from "../texts/text.ts";
import { PREFIX } from "../api/prefix.ts";
import { lazyPage } from "../shell/lazy-page.tsx";
import { Bones } from "../ui/Bones.tsx";
import { FolderSettings } from "./folders/FolderSettings.tsx";
import { AccountSettings } from "./AccountSettings.tsx";
import { ReadingSettings } from "./ReadingSettings.tsx";
import { SessionSettings } from "./SessionSettings.tsx";
import { AddEndpoint } from "./webhooks/AddEndpoint.tsx";
import { EndpointPage } from "./webhooks/EndpointPage.tsx";
import { TabNav } from "./TabNav.tsx";
import { WebhookList } from "./webhooks/WebhookList.tsx";
import { WritingSettings } from "./writing/WritingSettings.tsx";
import "./settings.css";

const ApprovalList = lazyPage("ApprovalList", () => import("./agents/ApprovalList.tsx"));
const ApprovalPage = lazyPage("ApprovalPage", () => import("./agents/ApprovalPage.tsx"));
const GrantList = lazyPage("GrantList", () => import("./agents/GrantList.tsx"));
const MailboxAudit = lazyPage("MailboxAudit", () => import("./agents/MailboxAudit.tsx"));

const here = (isHere: boolean): string => (isHere ? "tab here" : "tab");

/** The account's settings (spec 7.2). */
export default function SettingsPages() {
  const [isAtApprovals] = useRoute("/settings/approvals/*?");
  const [isAtWebhooks] = useRoute("/settings/webhooks/*?");
  return (
    <main className="page settings">
      <TabNav label={t("Settings")}>
        <h2 className="settings-group">{t("Mailbox")}</h2>
        <Link href="/settings/reading" className={here}>
          {t("Reading")}
        </Link>
        <Link href="/settings/writing" className={here}>
          {t("Writing")}
        </Link>
        <Link href="/settings/folders" className={here}>
          {t("Folders")}
        </Link>
        <Link href="/settings/sessions" className={here}>
          {t("Sessions")}
        </Link>
        <Link href="/settings/account" className={here}>
          {t("Account")}
        </Link>
        <h2 className="settings-group">{t("Agents")}</h2>
        <Link href="/settings/approvals" className={here(isAtApprovals)}>
          {t("Approvals")}
        </Link>
        <Link href="/settings/assistants" className={here}>
          {t("Assistants")}
        </Link>
        <Link href="/settings/audit" className={here}>
          {t("Audit")}
        </Link>
        <h2 className="settings-group">{t("API & Integrations")}</h2>
        <Link href="/settings/webhooks" className={here(isAtWebhooks)}>
          {t("Webhooks")}
        </Link>
        <Link href="/accounts" className="tab">
          {t("Accounts")}
        </Link>
        <a href={`${PREFIX}/docs`} target="_blank" rel="noreferrer" className="tab">
          {t("API reference")}
        </a>
      </TabNav>
      <div className="settings-page">
        <Suspense fallback={<Bones rows={4} label={t("Loading the page")} />}>
          <Switch>
            <Route path="/settings/folders" component={FolderSettings} />
            <Route path="/settings/reading" component={ReadingSettings} />
            <Route path="/settings/account" component={AccountSettings} />
            <Route path="/settings/writing" component={WritingSettings} />
            <Route path="/settings/sessions" component={SessionSettings} />
            <Route path="/settings/approvals" component={ApprovalList} />
            <Route path="/settings/approvals/:id" component={ApprovalPage} />
            <Route path="/settings/assistants" component={GrantList} />
            <Route path="/settings/audit" component={MailboxAudit} />
            <Route path="/settings/webhooks" component={WebhookList} />
            <Route path="/settings/webhooks/new" component={AddEndpoint} />
            <Route path="/settings/webhooks/:id" component={EndpointPage} />
            <Route>
              <Redirect to="/settings/reading" replace />
            </Route>
          </Switch>
        </Suspense>
      </div>
    </main>
  );
}
