import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { dropDrafts, keptDrafts } from "../kept/kept-drafts.ts";
import { dropPictures } from "../kept/pictures.ts";
import { Question } from "../ui/popups/Question.tsx";
import { toast } from "../ui/toast.ts";
import { signOut, useSession } from "./session.ts";

/** Signs out; asks first if drafts would be lost. The caller renders `question` on the page. */
export const useSignOut = (): {
  readonly start: () => void;
  readonly isPending: boolean;
  readonly question: ReactNode;
} => {
  const account = useSession().data?.email ?? "";
  const [drafts, setDrafts] = useState(0);
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      dropDrafts(account);
      void dropPictures();
    },
    onError: () => toast("You are still signed in: the service could not be reached."),
  });
  const start = () => {
    const count = keptDrafts(account).length;
    if (count === 0) leave.mutate();
    else setDrafts(count);
  };
  const question = drafts > 0 && (
    <Question
      title={
        drafts === 1
          ? "Sign out and discard the changes of a draft?"
          : `Sign out and discard the changes of ${drafts} drafts?`
      }
      yes="Sign out"
      no="Stay signed in"
      onYes={() => {
        setDrafts(0);
        leave.mutate();
      }}
      onNo={() => setDrafts(0)}
    >
      <p>Only this browser has these changes: they could not be saved on the mail server yet.</p>
    </Question>
  );
  return { start, isPending: leave.isPending, question };
};
