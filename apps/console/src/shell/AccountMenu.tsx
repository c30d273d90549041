import { markText, t, type Text } from "../texts/text.ts";
import { Check, ChevronUp } from "../ui/icons/icons.tsx";
import { Button as AriaButton, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components";
import { useState } from "react";
import { useLocation } from "wouter";
import { PREFIX } from "../api/prefix.ts";
import { signedInAccounts } from "../api/signed-in.ts";
import { switchAccount } from "../session/session.ts";
import { useSignOut } from "../session/useSignOut.tsx";
import { chooseCompact, useIsCompact } from "../ui/density.ts";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const THEMES: ReadonlyArray<readonly [Theme, Text]> = [
  ["system", markText("System default")],
  ["light", markText("Light")],
  ["dark", markText("Dark")],
];

const DENSITIES = [
  ["comfortable", markText("Comfortable")],
  ["compact", markText("Compact")],
] as const;

/** The menu of the account: the other accounts, theme, shortcuts, API reference, sign out. */
export const AccountMenu = ({ email, onHelp }: { readonly email: string; readonly onHelp: () => void }) => {
  const theme = useTheme();
  const isCompact = useIsCompact();
  const leave = useSignOut();
  const [, navigate] = useLocation();
  // A sign-out of another account changes the list, so the menu reads the list when it opens.
  const [accounts, setAccounts] = useState(signedInAccounts);
  return (
    <>
      <MenuTrigger onOpenChange={() => setAccounts(signedInAccounts())}>
        <AriaButton className="button quiet account" aria-label={t("Account {email}", { email })}>
          <span className="rail-name">{email}</span>
          <ChevronUp size={16} aria-hidden />
        </AriaButton>
        <Popover className="popover" placement="top start">
          <Menu aria-label={t("Account")}>
            <MenuSection
              aria-label={t("Accounts")}
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[email]}
              onSelectionChange={(keys) => {
                const [chosen] = [...keys] as ReadonlyArray<string>;
                if (chosen !== undefined && chosen !== email) void switchAccount(chosen);
              }}
            >
              {accounts.map((one) => (
                <MenuItem key={one} id={one} className="option" textValue={one}>
                  <span className="menu-tick">{one === email && <Check size={16} aria-hidden />}</span>
                  <span className="menu-account">{one}</span>
                </MenuItem>
              ))}
            </MenuSection>
            <MenuSection aria-label={t("More accounts")}>
              <MenuItem className="option" onAction={() => navigate("/?add-account")}>
                {t("Add account…")}
              </MenuItem>
            </MenuSection>
            <MenuSection
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[theme]}
              onSelectionChange={(keys) => chooseTheme([...keys][0] as Theme)}
            >
              <Header className="menu-title">{t("Appearance")}</Header>
              {THEMES.map(([id, name]) => (
                <MenuItem key={id} id={id} className="option" textValue={t(name)}>
                  <span className="menu-tick">{theme === id && <Check size={16} aria-hidden />}</span>
                  {t(name)}
                </MenuItem>
              ))}
            </MenuSection>
            <MenuSection
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[isCompact ? "compact" : "comfortable"]}
              onSelectionChange={(keys) => chooseCompact(new Set(keys as Iterable<string>).has("compact"))}
            >
              <Header className="menu-title">{t("Lists")}</Header>
              {DENSITIES.map(([id, name]) => (
                <MenuItem key={id} id={id} className="option" textValue={t(name)}>
                  <span className="menu-tick">
                    {(id === "compact") === isCompact && <Check size={16} aria-hidden />}
                  </span>
                  {t(name)}
                </MenuItem>
              ))}
            </MenuSection>
            <MenuSection aria-label={t("Session")}>
              <MenuItem className="option" onAction={onHelp}>
                {t("Keyboard shortcuts")}
              </MenuItem>
              <MenuItem className="option" href={`${PREFIX}/docs`} target="_blank">
                {t("API reference")}
              </MenuItem>
              {accounts.length === 1 ? (
                <MenuItem className="option" onAction={() => leave.start(accounts)}>
                  {t("Sign out")}
                </MenuItem>
              ) : (
                <>
                  {accounts.map((one) => (
                    <MenuItem
                      key={one}
                      className="option"
                      textValue={t("Sign out {account}", { account: one })}
                      onAction={() => leave.start([one])}
                    >
                      <span className="menu-account">{t("Sign out {account}", { account: one })}</span>
                    </MenuItem>
                  ))}
                  <MenuItem className="option" onAction={() => leave.start(accounts)}>
                    {t("Sign out of all accounts")}
                  </MenuItem>
                </>
              )}
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
      {leave.question}
    </>
  );
};
