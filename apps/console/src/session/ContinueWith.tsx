import { t } from "../texts/text.ts";
import { consentUrl, type SignInProvider } from "./providers.ts";

export interface ContinueWithProps {
  readonly providers: ReadonlyArray<SignInProvider>;
  /** The providers that the page emphasises. */
  readonly fitting: ReadonlyArray<SignInProvider>;
  /** The typed address, or "". */
  readonly email: string;
}

/** The buttons to sign in with the consent of an OAuth2 provider. */
export const ContinueWith = ({ providers, fitting, email }: ContinueWithProps) => (
  <ul className="ways" aria-label={t("Other ways to sign in")}>
    {providers.map(({ id, label }) => (
      <li key={id}>
        <a href={consentUrl(id, email)} className={fitting.some((one) => one.id === id) ? "button primary" : "button"}>
          {t("Continue with {provider}", { provider: label })}
        </a>
      </li>
    ))}
  </ul>
);
