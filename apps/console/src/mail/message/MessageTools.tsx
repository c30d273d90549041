import { Forward, Reply, ReplyAll } from "../../ui/icons/icons.tsx";
import { Link, useLocation } from "wouter";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { type ActionTarget, Actions } from "../actions/Actions.tsx";
import { MoreMenu } from "../asks/MoreMenu.tsx";
import type { Email } from "../emails/email.ts";
import type { Target } from "../actions/message-actions.ts";
import { t } from "../../texts/text.ts";
import { useIsNarrow } from "../actions/use-is-narrow.ts";

export interface MessageToolsProps {
  readonly message: ActionTarget;
  /** The address of the sender; empty if it is not known. */
  readonly sender: string;
  readonly backTo: string;
  /** Whether the keys of the actions act on this message. */
  readonly hasKeys: boolean;
  /** The messages to which the actions apply, if there are more than this one. */
  readonly acted: ReadonlyArray<Email>;
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
}

/** The answers to a message and the actions on it, as buttons and as keys. */
export const MessageTools = ({ message, sender, backTo, hasKeys, acted, onGone }: MessageToolsProps) => {
  const [, navigate] = useLocation();
  const compose = (way: string) => `/compose?${way}=${encodeURIComponent(message.id)}`;
  const isNarrow = useIsNarrow();
  const otherAnswers = [
    { id: "replyAll", name: t("Reply to all"), icon: ReplyAll },
    { id: "forward", name: t("Forward"), icon: Forward },
  ];
  useShortcuts({
    r: () => navigate(compose("reply")),
    a: () => navigate(compose("replyAll")),
    f: () => navigate(compose("forward")),
  });
  return (
    <div className="tools" role="toolbar" aria-label={t("Message")}>
      <Link href={compose("reply")} className="button tools-reply">
        <Reply size={17} aria-hidden />
        <span>{t("Reply")}</span>
      </Link>
      {!isNarrow &&
        otherAnswers.map(({ id, name, icon: Icon }) => (
          <Link key={id} href={compose(id)} className="button quiet icon" aria-label={name}>
            <Icon size={18} aria-hidden />
          </Link>
        ))}
      <span className="tools-gap" />
      <Actions
        targets={acted.length > 0 ? acted : [message]}
        hasKeys={hasKeys}
        onGone={onGone}
        onUnread={() => navigate(backTo)}
        more={(actions, button) => (
          <MoreMenu
            id={message.id}
            from={sender}
            actions={[
              ...(isNarrow ? otherAnswers.map(({ id, name }) => ({ id, name, act: () => navigate(compose(id)) })) : []),
              ...actions,
            ]}
            button={button}
          />
        )}
      />
    </div>
  );
};
