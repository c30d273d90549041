import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { t } from "../texts/text.ts";
import { dropDrafts, keptDrafts } from "../kept/kept-drafts.ts";
import { dropPictures } from "../kept/pictures.ts";
import { Question } from "../ui/popups/Question.tsx";
import { toast } from "../ui/toast.ts";
import { goOn, signOut } from "./session.ts";

/** Signs accounts out; asks first if drafts would be lost. The caller renders `question` on the page. */
export const useSignOut = (): {
  readonly start: (accounts: ReadonlyArray<string>) => void;
  readonly isPending: boolean;
  readonly question: ReactNode;
} => {
  const [asked, ask] = useState<{ readonly accounts: ReadonlyArray<string>; readonly drafts: number } | null>(null);
  const leave = useMutation({
    mutationFn: async (accounts: ReadonlyArray<string>) => {
      for (const account of accounts) {
        await signOut(account);
        dropDrafts(account);
        await dropPictures(account);
      }
    },
    onSettled: goOn,
    onError: () => toast(t("You are still signed in: the service could not be reached.")),
  });
  const start = (accounts: ReadonlyArray<string>) => {
    const drafts = accounts.reduce((sum, account) => sum + keptDrafts(account).length, 0);
    if (drafts === 0) leave.mutate(accounts);
    else ask({ accounts, drafts });
  };
  const question = asked !== null && (
    <Question
      title={t("Sign out and discard the changes of {count, plural, one {a draft} other {# drafts}}?", {
        count: asked.drafts,
      })}
      yes={t("Sign out")}
      no={t("Stay signed in")}
      onYes={() => {
        ask(null);
        leave.mutate(asked.accounts);
      }}
      onNo={() => ask(null)}
    >
      <p>{t("Only this browser has these changes: they could not be saved on the mail server yet.")}</p>
    </Question>
  );
  return { start, isPending: leave.isPending, question };
};
