import { Flag, Forward, FolderInput, MailOpen, Reply, ReplyAll, Trash2 } from "../ui/icons.tsx";
import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Link, useLocation } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Button } from "../ui/Button.tsx";
import { Question } from "../ui/Question.tsx";
import { folderName, folderTree, useFolders } from "./folders.ts";
import type { Message } from "./message.ts";
import { mark, move, remove } from "./message-actions.ts";
import { subjectOf } from "./people.ts";

/** The actions on a message, as buttons and as keys. */
export const MessageTools = ({ message, onGone }: { readonly message: Message; readonly onGone: () => void }) => {
  const { id, flagged } = message;
  const folders = useFolders().data ?? [];
  const [isMoveOpen, setMoveOpen] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [, navigate] = useLocation();
  const here = folders.find(({ path }) => path === message.folder);
  const others = folderTree(folders).filter(({ folder }) => folder.selectable && folder.id !== here?.id);

  const isInTrash = here?.role === "trash";
  const deleteNow = () => {
    onGone();
    void remove(id, here?.id, isInTrash);
  };
  const deleteIt = () => (isInTrash ? setAsked(true) : deleteNow());
  const unread = () => {
    onGone();
    void mark(id, { unread: true });
  };
  const moveTo = (folderId: string) => {
    const to = folders.find((folder) => folder.id === folderId);
    if (to === undefined) return;
    onGone();
    void move(id, here?.id, { id: to.id, name: folderName(to) });
  };
  const flag = () => void mark(id, { flagged: !flagged });
  const compose = (way: string) => `/compose?${way}=${encodeURIComponent(id)}`;
  useShortcuts({
    r: () => navigate(compose("reply")),
    a: () => navigate(compose("replyAll")),
    f: () => navigate(compose("forward")),
    s: flag,
    m: unread,
    v: () => setMoveOpen(true),
    "#": deleteIt,
  });

  return (
    <div className="tools" role="toolbar" aria-label="Message">
      <Link href={compose("reply")} className="button tools-reply">
        <Reply size={17} aria-hidden />
        <span>Reply</span>
      </Link>
      <Link href={compose("replyAll")} className="button quiet icon" aria-label="Reply to all">
        <ReplyAll size={18} aria-hidden />
      </Link>
      <Link href={compose("forward")} className="button quiet icon" aria-label="Forward">
        <Forward size={18} aria-hidden />
      </Link>
      <span className="tools-gap" />
      <Button
        look="quiet"
        className={flagged ? "flagged" : ""}
        label={flagged ? "Remove flag" : "Flag"}
        aria-pressed={flagged}
        icon={<Flag size={18} fill={flagged ? "currentColor" : "none"} aria-hidden />}
        onPress={flag}
      />
      <Button look="quiet" label="Mark as unread" icon={<MailOpen size={18} aria-hidden />} onPress={unread} />
      <MenuTrigger isOpen={isMoveOpen} onOpenChange={setMoveOpen}>
        <AriaButton className="button quiet icon" aria-label="Move to a folder">
          <FolderInput size={18} aria-hidden />
        </AriaButton>
        <Popover className="popover">
          <Menu aria-label="Folders" onAction={(key) => moveTo(String(key))}>
            {others.map(({ folder, depth }) => (
              <MenuItem key={folder.id} id={folder.id} className="option" textValue={folderName(folder)}>
                <span data-depth={Math.min(depth, 4)} className="option-depth" dir="auto">
                  {folderName(folder)}
                </span>
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Button
        look="quiet"
        className="danger"
        label={isInTrash ? "Delete permanently" : "Delete"}
        icon={<Trash2 size={18} aria-hidden />}
        onPress={deleteIt}
      />
      {isAsked && (
        <Question
          title="Delete this message permanently?"
          yes="Delete permanently"
          no="Cancel"
          onYes={deleteNow}
          onNo={() => setAsked(false)}
        >
          <p>
            <strong dir="auto">{subjectOf(message)}</strong> cannot be restored.
          </p>
        </Question>
      )}
    </div>
  );
};
