import { t } from "../texts/text.ts";
import { Menu as MenuIcon, PenLine, WifiOff } from "../ui/icons/icons.tsx";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Link, useLocation } from "wouter";
import { useReachable } from "../api/reach.ts";
import { signedInAccounts } from "../api/signed-in.ts";
import { useLiveEvents } from "../live/live-events.ts";
import { ReconnectNotice } from "../session/ReconnectNotice.tsx";
import { switchAccount } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import { lazyPage } from "./lazy-page.tsx";
import { ALL_INBOXES } from "./folders.ts";
import { Rail } from "./Rail.tsx";
import { registerWorker } from "../api/service-worker.ts";
import { useKeySequences, useShortcuts } from "./shortcuts.ts";
import { Wordmark } from "../ui/icons/Wordmark.tsx";
import "./shell.css";

const ShortcutHelp = lazyPage("ShortcutHelp", () => import("./ShortcutHelp.tsx"));

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Follows the other accounts besides that of the page. */
const useOtherAccounts = (email: string): void =>
  useEffect(() => {
    const others = signedInAccounts().filter((account) => account !== email);
    if (others.length === 0) return;
    const following = import("../live/other-accounts.ts").then(({ followOthers }) => followOthers(others));
    return () => void following.then((end) => end());
  }, [email]);

/** The frame around every page: the rail (a bar on phones), the global shortcuts and the notices. */
export const Shell = ({ email, children }: { readonly email: string; readonly children: ReactNode }) => {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isRailOpen, setRailOpen] = useState(false);
  const [, navigate] = useLocation();
  const isReached = useReachable();
  useEffect(registerWorker, []);
  useKeySequences();
  useLiveEvents(email);
  useOtherAccounts(email);
  useKeptFocus();
  useShortcuts({
    "?": () => setHelpOpen(true),
    c: () => navigate("/compose"),
    "g i": () => navigate("/mail/inbox"),
    "g d": () => navigate("/mail/drafts"),
    "g s": () => navigate("/mail/sent"),
    "g o": () => navigate("/outbox"),
    "g e": () => navigate("/settings"),
    "g a": () => signedInAccounts().length > 1 && navigate(ALL_INBOXES),
    ...Object.fromEntries(
      DIGITS.map((digit, index) => [
        `g ${digit}`,
        () => {
          const account = signedInAccounts()[index];
          if (account !== undefined && account !== email) void switchAccount(account);
        },
      ]),
    ),
  });
  const help = () => {
    setRailOpen(false);
    setHelpOpen(true);
  };
  return (
    <div className="shell">
      <a href="#content" className="skip button">
        {t("Skip to content")}
      </a>
      <aside className="shell-rail">
        <Rail email={email} onHelp={help} />
      </aside>
      <header className="shell-bar">
        <Button
          look="quiet"
          label={t("Folders and settings")}
          icon={<MenuIcon size={20} aria-hidden />}
          onPress={() => setRailOpen(true)}
        />
        <Wordmark />
        <Link href="/compose" className="button quiet icon" aria-label={t("Write a message")}>
          <PenLine size={20} aria-hidden />
        </Link>
      </header>
      <div className="shell-notices">
        {!isReached && (
          <p className="shell-notice" role="status">
            <WifiOff size={16} aria-hidden /> {t("The service cannot be reached. You see what this browser has read.")}
          </p>
        )}
        <ReconnectNotice />
      </div>
      <div id="content" className="shell-content" tabIndex={-1}>
        {children}
      </div>
      <ModalOverlay className="curtain drawer-curtain" isOpen={isRailOpen} onOpenChange={setRailOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label={t("Folders and settings")}>
            <Rail email={email} onHelp={help} onChosen={() => setRailOpen(false)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      {isHelpOpen && (
        <Suspense>
          <ShortcutHelp onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  );
};
