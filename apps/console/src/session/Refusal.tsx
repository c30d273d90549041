import { ApiProblem } from "@postern/client/browser";
import { rich, t } from "../texts/text.ts";
import { titleOf } from "../ui/error-text.ts";
import { signInHelp } from "./sign-in-help.ts";

/** The reason why a sign-in was refused, with advice. */
export const Refusal = ({
  error,
  providers,
}: {
  readonly error: unknown;
  /** The names of the providers through which the address may sign in without a password. */
  readonly providers: ReadonlyArray<string>;
}) => {
  if (!(error instanceof ApiProblem)) {
    return <p className="notice bad">{t("Something went wrong on this page. Reload it and try again.")}</p>;
  }
  const help = signInHelp(error.code, providers);
  return (
    <>
      <p className="notice bad">
        {error.retryAfter === null ? titleOf(error) : withWait(titleOf(error), error.retryAfter)}
      </p>
      {help.length > 0 && (
        <div className="help">
          <h2>{t("What you can do")}</h2>
          <ul>
            {help.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
          {error.status >= 500 && error.requestId !== null && (
            <p className="soft small">
              {rich("Request <id></id>", { id: () => <span className="mono">{error.requestId}</span> })}
            </p>
          )}
        </div>
      )}
    </>
  );
};

const withWait = (problem: string, seconds: number): string =>
  seconds < 90
    ? t("{problem}. Try again in {count, plural, one {# second} other {# seconds}}.", { problem, count: seconds })
    : t("{problem}. Try again in {count, plural, other {# minutes}}.", { problem, count: Math.ceil(seconds / 60) });
