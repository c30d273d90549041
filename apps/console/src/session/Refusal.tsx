import { ApiProblem } from "@postern/client/browser";
import { signInHelp } from "./sign-in-help.ts";

/** Why a sign-in was refused, and what to do. */
export const Refusal = ({
  error,
  providers,
}: {
  readonly error: unknown;
  /** The names of the providers through which the address may sign in without a password. */
  readonly providers: ReadonlyArray<string>;
}) => {
  if (!(error instanceof ApiProblem)) {
    return <p className="notice bad">Something went wrong on this page. Reload it and try again.</p>;
  }
  const help = signInHelp(error.code, providers);
  return (
    <>
      <p className="notice bad">
        {error.title}
        {error.retryAfter !== null && `. Try again in ${wait(error.retryAfter)}.`}
      </p>
      {help.length > 0 && (
        <div className="help">
          <h2>What you can do</h2>
          <ul>
            {help.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
          {error.status >= 500 && error.requestId !== null && (
            <p className="soft small">
              Request <span className="mono">{error.requestId}</span>
            </p>
          )}
        </div>
      )}
    </>
  );
};

const wait = (seconds: number): string =>
  seconds < 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
