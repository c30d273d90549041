import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { api, queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { Ellipsis } from "../../ui/icons/menu-icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { MessageSource } from "./MessageSource.tsx";

export interface MoreMenuProps {
  readonly id: string;
  /** The address of the sender; empty if it is not known. */
  readonly from: string;
}

/** Further actions on a message: showing its source, and blocking its sender. */
export const MoreMenu = ({ id, from }: MoreMenuProps) => {
  const [sourceId, showSource] = useState<string | null>(null);
  const [asked, ask] = useState<string | null>(null);
  const block = useMutation({
    mutationFn: (address: string) => api("POST /api/settings/blocks", { payload: { address } }),
    onSuccess: ({ data: { address } }) => {
      void queries.invalidateQueries({ queryKey: ["blocks"] });
      toast(`Mail from ${address} goes to Junk from now on`);
    },
    onError: (error) => toast(errorText(error)),
  });
  return (
    <>
      <MenuTrigger key={id}>
        <AriaButton className="button quiet icon" aria-label="More actions">
          <Ellipsis size={18} aria-hidden />
        </AriaButton>
        <Popover className="popover">
          <Menu aria-label="More actions" onAction={(action) => (action === "block" ? ask(from) : showSource(id))}>
            <MenuItem id="source" className="option">
              Show headers and source
            </MenuItem>
            {from !== "" && (
              <MenuItem id="block" className="option">
                Block sender
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {sourceId !== null && <MessageSource id={sourceId} onClose={() => showSource(null)} />}
      {asked !== null && (
        <Question
          title="Block this sender?"
          yes="Block sender"
          no="Cancel"
          destroys={false}
          onYes={() => {
            ask(null);
            block.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            Mail from <strong dir="auto">{asked}</strong> goes to Junk when it arrives. <em>Settings</em>,{" "}
            <em>Reading</em> lists the blocked senders.
          </p>
        </Question>
      )}
    </>
  );
};
