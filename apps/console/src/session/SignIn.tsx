import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { t } from "../texts/text.ts";
import { Wordmark } from "../ui/icons/Wordmark.tsx";
import { faultOf } from "../ui/error-text.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { LanguageChoice } from "../ui/forms/LanguageChoice.tsx";
import { ConnectOutcome } from "./ConnectOutcome.tsx";
import { ContinueWith } from "./ContinueWith.tsx";
import { useProviders } from "./providers.ts";
import { Refusal } from "./Refusal.tsx";
import { PASSWORD_REFUSALS } from "./sign-in-help.ts";
import { SignedIn } from "./SignedIn.tsx";
import { signIn } from "./session.ts";
import { useSlow } from "./useSlow.ts";
import "./sign-in.css";

const SLOW_MILLIS = 2_000;

/** The sign-in page: the e-mail address and password of the mail account (spec 3), or the consent of a provider (spec 11.3). */
export default function SignIn({ isAdding }: { readonly isAdding: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isOwnDevice, setOwnDevice] = useState(true);
  const [tried, setTried] = useState<string | null>(null);
  const attempt = useMutation({ mutationFn: () => signIn(email.trim(), password, isOwnDevice) });
  const providers = useProviders(null).data ?? [];
  const isRefused = attempt.error instanceof ApiProblem && PASSWORD_REFUSALS.has(attempt.error.code);
  const fitting = useProviders(tried, isRefused && providers.length > 0).data ?? [];
  const isSlow = useSlow(attempt.isPending, SLOW_MILLIS);
  const submit = (): boolean => {
    setTried(email.trim());
    const isWhole = email.trim() !== "" && password !== "";
    if (isWhole) attempt.mutate();
    return isWhole;
  };
  useEffect(() => {
    document.title = `${t(isAdding ? "Add account" : "Sign in")} · Postern`;
  }, [isAdding]);
  return (
    <main className="threshold">
      <div className="door">
        <Wordmark />
        <h1>{t(isAdding ? "Add an account" : "Sign in")}</h1>
        <ConnectOutcome />
        <FormWithFaults onSubmit={submit} error={attempt.error}>
          <Field
            label={t("E-mail")}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
            autoFocus
            fault={
              tried !== null && email.trim() === "" ? t("Enter your e-mail address.") : faultOf(attempt.error, "email")
            }
          />
          <Field
            label={t("Password")}
            type="password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            isRequired
            hint={t("The password of your mail account.")}
            fault={tried !== null && password === "" ? t("Enter your password.") : faultOf(attempt.error, "password")}
          />
          <Check isSelected={!isOwnDevice} onChange={(isSelected) => setOwnDevice(!isSelected)}>
            {t("This is not my device: keep no messages in this browser")}
          </Check>
          <div aria-live="assertive">
            {attempt.error !== null && (
              <Refusal error={attempt.error} providers={isRefused ? fitting.map(({ label }) => label) : []} />
            )}
          </div>
          <p className="soft small" role="status">
            {isSlow && t("Still asking the mail server. An answer can take 10 seconds.")}
          </p>
          <Button type="submit" look="primary" isPending={attempt.isPending}>
            {t(attempt.isPending ? "Signing in…" : "Sign in")}
          </Button>
        </FormWithFaults>
        {providers.length > 0 && (
          <ContinueWith providers={providers} fitting={isRefused ? fitting : []} email={email} />
        )}
        {isAdding ? (
          <Link href="/mail/inbox" className="door-link">
            {t("Back to the mailbox")}
          </Link>
        ) : (
          <>
            <SignedIn />
            <Link href="/accounts" className="door-link">
              {t("Manage accounts with an admin key")}
            </Link>
          </>
        )}
        <div className="door-language">
          <LanguageChoice />
        </div>
      </div>
    </main>
  );
}
