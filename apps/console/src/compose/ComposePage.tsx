import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useSearchParams } from "wouter";
import { api } from "../api/client.ts";
import { useMessage } from "../mail/message.ts";
import { useSession } from "../session/session.ts";
import { Bones } from "../ui/Bones.tsx";
import { Failed } from "../ui/Failed.tsx";
import { ComposeForm } from "./ComposeForm.tsx";
import { draftFrom, emptyDraft, type Way } from "./draft.ts";
import { keptDraft } from "./kept-draft.ts";
import "./compose.css";

const WAYS: ReadonlyArray<readonly [Way, string]> = [
  ["reply", "Reply"],
  ["replyAll", "Reply to all"],
  ["forward", "Forward"],
];

/** The page for a new message, or with `?reply=`, `?replyAll=` or `?forward=` and a message id, for an answer to it. */
export default function ComposePage() {
  const [search] = useSearchParams();
  const [way, title] = WAYS.find(([name]) => search.has(name)) ?? [null, "New message"];
  const id = way === null ? null : search.get(way);
  const about = way === null ? "" : `?${way}=${id}`;
  const original = useMessage(id);
  const self = useSession().data?.email ?? "";
  const limits = useQuery({
    queryKey: ["limits"],
    queryFn: async ({ signal }) => (await api("GET /api/limits", { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);

  const isWaiting = way !== null && original.isPending;
  return (
    <main className="page compose">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      {isWaiting ? (
        <Bones rows={4} label="the message" />
      ) : way !== null && original.data === undefined && keptDraft(self, about) === null ? (
        <Failed error={original.error} onRetry={original.refetch}>
          <Link href="/mail/inbox" className="button">
            Go to the inbox
          </Link>
        </Failed>
      ) : (
        <ComposeForm
          key={about}
          account={self}
          about={about}
          fresh={() => (way === null ? emptyDraft() : draftFrom(original.data!, way, self))}
          original={way === null ? null : { way, id: id!, message: original.data }}
          limits={limits.data}
        />
      )}
    </main>
  );
}
