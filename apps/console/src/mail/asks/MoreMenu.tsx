import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { api, queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { Ellipsis } from "../../ui/icons/menu-icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import type { MenuAnchor, MoreAction } from "../actions/ToolMenu.tsx";
import { MessageSource } from "./MessageSource.tsx";
import { rich, t } from "../../texts/text.ts";

export interface MoreMenuProps {
  readonly id: string;
  /** The address of the sender; empty if it is not known. */
  readonly from: string;
  readonly actions: ReadonlyArray<MoreAction>;
  readonly button: MenuAnchor;
}

/** Further actions on a message, such as showing its source and blocking its sender. */
export const MoreMenu = ({ id, from, actions, button }: MoreMenuProps) => {
  const [sourceId, showSource] = useState<string | null>(null);
  const [asked, ask] = useState<string | null>(null);
  const block = useMutation({
    mutationFn: (address: string) => api("POST /api/settings/blocks", { payload: { address } }),
    onSuccess: ({ data: { address } }) => {
      void queries.invalidateQueries({ queryKey: ["blocks"] });
      toast(t("Mail from {address} goes to Junk from now on", { address }));
    },
    onError: (error) => toast(errorText(error)),
  });
  return (
    <>
      <MenuTrigger key={id}>
        <AriaButton ref={button} className="button quiet icon" aria-label={t("More actions")}>
          <Ellipsis size={18} aria-hidden />
        </AriaButton>
        <Popover className="popover">
          <Menu aria-label={t("More actions")}>
            {actions.map((action) => (
              <MenuItem key={action.id} className="option" onAction={action.act}>
                {action.name}
              </MenuItem>
            ))}
            {/* The menu closes before the page is printed. */}
            <MenuItem className="option" onAction={() => setTimeout(() => print())}>
              {t("Print")}
            </MenuItem>
            <MenuItem className="option" onAction={() => showSource(id)}>
              {t("Show headers and source")}
            </MenuItem>
            {from !== "" && (
              <MenuItem className="option" onAction={() => ask(from)}>
                {t("Block sender")}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {sourceId !== null && <MessageSource id={sourceId} onClose={() => showSource(null)} />}
      {asked !== null && (
        <Question
          title={t("Block this sender?")}
          yes={t("Block sender")}
          no={t("Cancel")}
          destroys={false}
          onYes={() => {
            ask(null);
            block.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {rich(
              "Mail from <strong>{address}</strong> goes to Junk when it arrives. <em>Settings</em>, <em>Reading</em> lists the blocked senders.",
              {
                address: asked,
                strong: (address) => <strong dir="auto">{address}</strong>,
                em: (name) => <em>{name}</em>,
              },
            )}
          </p>
        </Question>
      )}
    </>
  );
};
