import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { api, queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { Ellipsis } from "../../ui/icons/menu-icons.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";

/** Further actions on a message: blocking its sender. */
export const MoreMenu = ({ from }: { readonly from: string }) => {
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
      <MenuTrigger key={from}>
        <AriaButton className="button quiet icon" aria-label="More actions">
          <Ellipsis size={18} aria-hidden />
        </AriaButton>
        <Popover className="popover">
          <Menu aria-label="More actions" onAction={() => ask(from)}>
            <MenuItem id="block" className="option">
              Block sender
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
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
