import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api } from "../api/client.ts";
import { type Message, useMessage } from "../mail/emails/message.ts";
import { useSession } from "../session/session.ts";
import { useIdentities } from "./fields/identities.ts";
import { Bones } from "../ui/Bones.tsx";
import { Failed } from "../ui/Failed.tsx";
import { ComposeForm, type ComposeFormProps } from "./ComposeForm.tsx";
import type { Way } from "./draft/draft.ts";
import type { Opening } from "./draft/saver-state.ts";
import { aboutOf, type Asked, readOpening, findEdits, openAnswer, openKept, openNew, openStored } from "./opening.ts";
import { markText, rich, t } from "../texts/text.ts";
import "./compose.css";

const TITLES = {
  new: markText("New message"),
  reply: markText("Reply"),
  replyAll: markText("Reply to all"),
  forward: markText("Forward"),
  draft: markText("Draft"),
  kept: markText("Draft"),
} as const;

/** The page for writing a new message, an answer or a draft. */
export default function ComposePage() {
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const asked = readOpening(query);
  const [page, setPage] = useState(() => ({ key: 0, asked, about: aboutOf(asked) }));
  // A draft that is stored for the first time gets its own URL; its form stays.
  if (page.about !== aboutOf(asked)) setPage({ key: page.key + 1, asked, about: aboutOf(asked) });
  const title = t(TITLES[page.asked.is]);
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  const stored = (id: string): void => {
    setPage((now) => ({ ...now, about: `draft=${id}` }));
    navigate(`/compose?draft=${id}`, { replace: true });
  };
  const reopen = (id: string): void =>
    setPage(({ key }) => ({ key: key + 1, asked: { is: "draft", id }, about: `draft=${id}` }));
  return (
    <main className="page compose">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      <Opened key={page.key} asked={page.asked} onStored={stored} onReopen={reopen} />
    </main>
  );
}

/** Opens the requested draft, then shows its form. */
const Opened = ({ asked, ...heard }: { readonly asked: Asked } & Pick<ComposeFormProps, "onStored" | "onReopen">) => {
  const account = useSession().data?.email ?? "";
  const [kept] = useState(() => findEdits(account, asked));
  const form = (opening: Opening): ReactNode => <ComposeForm account={account} opening={opening} {...heard} />;
  const identities = useIdentities();
  if (kept !== null) return form(openKept(kept));
  // If signatures cannot be read, the page is shown without them.
  if (identities.isPending) return <Bones rows={4} label={t("Loading the message")} />;
  const senders = identities.data ?? [];
  if (asked.is === "new" || asked.is === "kept") return form(openNew(senders));
  return asked.is === "draft" ? (
    <StoredDraft id={asked.id} form={form} />
  ) : (
    <Answer id={asked.id} form={(original) => form(openAnswer(asked.is as Way, original, account, senders))} />
  );
};

type Form = (opening: Opening) => ReactNode;

const StoredDraft = ({ id, form }: { readonly id: string; readonly form: Form }) => {
  const draft = useQuery({
    queryKey: ["draft", id],
    queryFn: async ({ signal }) => (await api("GET /api/drafts/:id", { params: { id }, signal })).data,
    // The saver has the edited draft, so an older answer must not replace it.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (draft.isPending) return <Bones rows={4} label={t("Loading the draft")} />;
  if (draft.isError) {
    return (
      <Failed error={draft.error} onRetry={draft.refetch}>
        <Link href="/mail/drafts" className="button">
          {t("Go to the drafts")}
        </Link>
      </Failed>
    );
  }
  if (draft.data.state === "sending") {
    return (
      <p className="notice">
        {rich("This message is being sent or scheduled. <link>Open the outbox</link> to cancel it.", {
          link: (name) => <Link href="/outbox">{name}</Link>,
        })}
      </p>
    );
  }
  const { reason } = draft.data;
  return (
    <>
      {reason !== null && (
        <p className="notice bad" role="status">
          {t(
            reason.reason === "send_outcome_unknown"
              ? "It was not sent: {reason}. It may have arrived; change it before you send it again."
              : "It was not sent: {reason}",
            { reason: reason.detail || reason.reason },
          )}
        </p>
      )}
      {form(openStored(draft.data))}
    </>
  );
};

interface AnswerProps {
  readonly id: string;
  readonly form: (original: Message) => ReactNode;
}

const Answer = ({ id, form }: AnswerProps) => {
  const original = useMessage(id);
  if (original.isPending) return <Bones rows={4} label={t("Loading the message")} />;
  if (original.data === undefined) {
    return (
      <Failed error={original.error} onRetry={original.refetch}>
        <Link href="/mail/inbox" className="button">
          {t("Go to the inbox")}
        </Link>
      </Failed>
    );
  }
  return form(original.data);
};
