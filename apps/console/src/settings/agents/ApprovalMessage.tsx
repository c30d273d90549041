import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useMemo } from "react";
import { t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { accountUrl } from "../../api/signed-in.ts";
import { safeFragment } from "../../compose/text/safe-html.ts";
import { mailboxes } from "../../mail/emails/people.ts";
import { MessageFrame } from "../../mail/message/MessageFrame.tsx";
import { Bones } from "../../ui/Bones.tsx";
import { bytes } from "../../ui/bytes.ts";
import { errorText } from "../../ui/error-text.ts";
import { dayAndTime } from "../../ui/time.ts";
import type { Approval } from "./agents.ts";
import "../../mail/message/message.css";

type Draft = ApiAnswer<"GET /api/drafts/:id">["data"];

export interface ApprovalMessageProps {
  readonly approval: Approval;
  /** The content below the message; `isShown` says whether the whole message is shown in the approval's version. */
  readonly children: (isShown: boolean) => ReactNode;
}

/** The whole message of an approval; if its draft is gone, the beginning that the approval stores. */
export const ApprovalMessage = ({ approval, children }: ApprovalMessageProps) => {
  const { draftId: id, version, state, preview } = approval;
  const draft = useQuery({
    queryKey: ["approvals", "draft", id, version],
    queryFn: async ({ signal }) => (await api("GET /api/drafts/:id", { params: { id }, signal })).data,
    enabled: state !== "approved",
    staleTime: 0,
  });
  const shown = draft.data?.version === version ? draft.data : undefined;
  return (
    <section aria-labelledby="approval-message" className="approval-message">
      <h2 id="approval-message" className="settings-part">
        {t("Message")}
      </h2>
      {shown !== undefined ? (
        <WholeMessage draft={shown} />
      ) : draft.isFetching ? (
        <Bones rows={4} label={t("Loading the message")} />
      ) : (
        <>
          <p className="notice">
            {draft.isError && state === "pending"
              ? t("The message could not be read: {error}", { error: errorText(draft.error) })
              : t("The draft was changed after the agent asked to send it. This is how its text began before.")}
          </p>
          <div className="message-text" dir="auto">
            {preview}
          </div>
        </>
      )}
      {children(shown !== undefined)}
    </section>
  );
};

const WholeMessage = ({ draft }: { readonly draft: Draft }) => {
  const { text, html, attachments } = draft;
  return (
    <>
      <dl className="message-names">
        {fieldsOf(draft).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {html === null ? (
        <div className="message-text" dir="auto">
          {text ?? ""}
        </div>
      ) : (
        <FormattedText id={draft.id} html={html} text={text} />
      )}
      {attachments.length > 0 && (
        <ul className="files approval-files" aria-label={t("Files")}>
          {attachments.map((file) => (
            <li key={file.id}>
              <a href={accountUrl(file.url)} download={file.name} className="file">
                <span className="file-name" dir="auto">
                  {file.name}
                </span>
                <span className="soft small">{t("{type}, {size}", { type: file.type, size: bytes(file.size) })}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/**
 * The formatted text without styles, which could hide text, and with the addresses of its links; below, the text for
 * readers without HTML.
 */
const FormattedText = ({
  id,
  html,
  text,
}: {
  readonly id: string;
  readonly html: string;
  readonly text: string | null;
}) => {
  const shown = useMemo(() => {
    const root = document.createElement("div");
    root.append(safeFragment(html));
    for (const link of root.querySelectorAll("a[href]")) nameAddress(link);
    return root.innerHTML;
  }, [html]);
  return (
    <>
      <MessageFrame message={{ id, html: shown, newText: null, quotedText: null }} withImages={false} />
      {text !== null && text.trim() !== "" && (
        <details className="small">
          <summary>{t("Text for recipients whose program shows no formatted text")}</summary>
          <div className="message-text" dir="auto">
            {text}
          </div>
        </details>
      )}
    </>
  );
};

/** Writes the address of a link behind its text, because the address may carry data that the agent read. */
const nameAddress = (link: Element): void => {
  const address = link.getAttribute("href")!;
  if (link.textContent !== address) link.after(` (${address})`);
};

type Sender = Draft["from"];

const senderText = (from: Sender): string => {
  if (from === null) return "";
  return typeof from === "string" ? from : mailboxes([from], 1);
};

/** Returns the non-empty fields of the message, with their names. */
const fieldsOf = (draft: Draft): ReadonlyArray<readonly [name: string, value: string]> =>
  (
    [
      [t("From"), senderText(draft.from)],
      [t("To"), mailboxes(draft.to, draft.to.length)],
      [t("Cc"), mailboxes(draft.cc, draft.cc.length)],
      [t("Bcc"), mailboxes(draft.bcc, draft.bcc.length)],
      [t("Reply to"), mailboxes(draft.replyTo, draft.replyTo.length)],
      [t("Subject"), draft.subject],
      [t("Sent at"), draft.sendAt === null ? "" : dayAndTime(draft.sendAt)],
      ...Object.entries(draft.headers),
      [t("Tracking"), draft.trackOpens ? t("The message reports when it is opened.") : ""],
    ] as const
  ).filter(([, value]) => value !== "");
