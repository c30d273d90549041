import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client.ts";
import { personNames } from "../mail/emails/people.ts";
import { Recipients } from "../mail/emails/Recipients.tsx";
import { useSession } from "../session/session.ts";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Failed } from "../ui/Failed.tsx";
import { Paperclip, Trash2 } from "../ui/icons/icons.tsx";
import { Moment } from "../ui/Moment.tsx";
import { discard, useDiscarded } from "./draft/discard.ts";
import { keptDrafts } from "../kept/kept-drafts.ts";
import type { KeptDraft } from "./draft/kept-draft.ts";
import { t } from "../texts/text.ts";
import "./compose.css";

type Entry = ApiAnswer<"GET /api/drafts">["data"][number];

/** The drafts of the mailbox, including drafts of other mail programs and drafts that only this browser has. */
export default function DraftsPage() {
  const account = useSession().data?.email ?? "";
  const drafts = useQuery({
    queryKey: ["drafts"],
    queryFn: async ({ signal }) => (await api("GET /api/drafts", { signal })).data,
    staleTime: 0,
  });
  const [kept, setKept] = useState(() => keptDrafts<KeptDraft>(account));
  useEffect(() => {
    document.title = `${t("Drafts")} · Postern`;
  }, []);
  useEffect(() => setKept(keptDrafts<KeptDraft>(account)), [account, drafts.dataUpdatedAt]);
  const discarded = useDiscarded();
  const entries = (drafts.data ?? []).filter(({ id }) => !discarded.has(id));
  const here = kept.filter(({ copy }) => !discarded.has(copy));
  return (
    <main className="page">
      <header className="page-head">
        <h1>{t("Drafts")}</h1>
      </header>
      {here.length > 0 && (
        <section aria-labelledby="kept-drafts">
          <h2 id="kept-drafts">{t("Not saved yet")}</h2>
          <p className="soft small">{t("Only this browser has these changes. Continue writing to save them.")}</p>
          <ul className="drafts">
            {here.map((one) => (
              <KeptRow key={one.copy} account={account} kept={one} />
            ))}
          </ul>
        </section>
      )}
      {drafts.isPending ? (
        <Bones rows={4} label={t("Loading the drafts")} />
      ) : drafts.isError ? (
        <Failed error={drafts.error} onRetry={drafts.refetch} />
      ) : entries.length === 0 ? (
        <Empty title={t("No drafts")}>
          <p>{t("What you write is saved here until you send it.")}</p>
        </Empty>
      ) : (
        <ul className="drafts">
          {entries.map((entry) => (
            <DraftRow key={entry.id} account={account} entry={entry} />
          ))}
        </ul>
      )}
    </main>
  );
}

const DraftRow = ({ account, entry }: { readonly account: string; readonly entry: Entry }) => {
  const { id, to, subject, savedAt, hasAttachments, reason, state } = entry;
  return (
    <li className="draft-row">
      <Link href={`/compose?draft=${encodeURIComponent(id)}`} className="draft-link">
        <span className="draft-to">
          <Recipients names={personNames(to)} />
        </span>
        <span className="draft-subject" dir="auto">
          {subject.trim() || t("No subject")}
        </span>
        {state === "sending" && <span className="tag">{t("being sent")}</span>}
        {reason !== null && <span className="tag bad">{t("not sent")}</span>}
        {hasAttachments && <Paperclip size={14} aria-label={t("Has attachments")} />}
        <span className="soft small">
          <Moment at={savedAt} />
        </span>
      </Link>
      {state === "draft" && (
        <Button
          look="quiet"
          label={
            subject.trim() === ""
              ? t("Discard the draft without a subject")
              : t("Discard {subject}", { subject: subject.trim() })
          }
          icon={<Trash2 size={17} aria-hidden />}
          onPress={() => discard({ account, id, copy: null })}
        />
      )}
    </li>
  );
};

const KeptRow = ({ account, kept }: { readonly account: string; readonly kept: KeptDraft }) => {
  const { copy, draft, keptAt } = kept;
  return (
    <li className="draft-row">
      <Link href={`/compose?kept=${copy}`} className="draft-link">
        <span className="draft-to">
          <Recipients names={draft.to.trim()} />
        </span>
        <span className="draft-subject" dir="auto">
          {draft.subject.trim() || t("No subject")}
        </span>
        <span className="soft small">
          <Moment at={new Date(keptAt).toISOString()} />
        </span>
      </Link>
      <Button
        look="quiet"
        label={
          draft.subject.trim() === ""
            ? t("Discard the changes of the draft without a subject")
            : t("Discard the changes of {subject}", { subject: draft.subject.trim() })
        }
        icon={<Trash2 size={17} aria-hidden />}
        onPress={() => discard({ account, id: null, copy })}
      />
    </li>
  );
};
