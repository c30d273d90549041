import { Check, ChevronUp } from "../ui/icons/icons.tsx";
import { Button as AriaButton, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components";
import { PREFIX } from "../api/prefix.ts";
import { useSignOut } from "../session/useSignOut.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const THEMES: ReadonlyArray<readonly [Theme, string]> = [
  ["system", "System default"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** The menu of the account: theme, shortcuts, API reference, sign out. */
export const AccountMenu = ({ email, onHelp }: { readonly email: string; readonly onHelp: () => void }) => {
  const theme = useTheme();
  const leave = useSignOut();
  return (
    <>
      <MenuTrigger>
        <AriaButton className="button quiet account" aria-label={`Account ${email}`}>
          <span className="rail-name">{email}</span>
          <ChevronUp size={16} aria-hidden />
        </AriaButton>
        <Popover className="popover" placement="top start">
          <Menu aria-label="Account">
            <MenuSection
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[theme]}
              onSelectionChange={(keys) => chooseTheme([...keys][0] as Theme)}
            >
              <Header className="menu-title">Appearance</Header>
              {THEMES.map(([id, name]) => (
                <MenuItem key={id} id={id} className="option" textValue={name}>
                  <span className="menu-tick">{theme === id && <Check size={16} aria-hidden />}</span>
                  {name}
                </MenuItem>
              ))}
            </MenuSection>
            <MenuSection aria-label="Session">
              <MenuItem className="option" onAction={onHelp}>
                Keyboard shortcuts
              </MenuItem>
              <MenuItem className="option" href={`${PREFIX}/docs`} target="_blank">
                API reference
              </MenuItem>
              <MenuItem className="option" onAction={leave.start}>
                Sign out
              </MenuItem>
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
      {leave.question}
    </>
  );
};
