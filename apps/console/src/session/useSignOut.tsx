import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { countDrafts, dropDrafts } from "../compose/kept-draft.ts";
import { Question } from "../ui/Question.tsx";
import { toast } from "../ui/toast.ts";
import { signOut, useSession } from "./session.ts";

/** Signs out; asks first if drafts would be lost: render `question` on the page. */
export const useSignOut = (): {
  readonly start: () => void;
  readonly isPending: boolean;
  readonly question: ReactNode;
} => {
  const account = useSession().data?.email ?? "";
  const [drafts, setDrafts] = useState(0);
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => dropDrafts(account),
    onError: () => toast("You are still signed in: the service could not be reached."),
  });
  const start = () => {
    const count = countDrafts(account);
    if (count === 0) leave.mutate();
    else setDrafts(count);
  };
  const question = drafts > 0 && (
    <Question
      title={drafts === 1 ? "Sign out and discard a draft?" : `Sign out and discard ${drafts} drafts?`}
      yes="Sign out"
      no="Stay signed in"
      onYes={() => {
        setDrafts(0);
        leave.mutate();
      }}
      onNo={() => setDrafts(0)}
    >
      <p>Unsent messages are saved in this tab only until you sign out.</p>
    </Question>
  );
  return { start, isPending: leave.isPending, question };
};
