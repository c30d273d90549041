import { Copy } from "./Copy.tsx";
import { KeyRound } from "./icons/icons.tsx";
import { useUnloadWarning } from "./unload-warning.ts";

export interface SecretProps {
  readonly secret: string;
  /** The kind of secret. */
  readonly name: string;
  /** The advice to copy the secret now, and for its loss. */
  readonly advice: string;
  readonly copyLabel: string;
}

/** A secret, shown only once. */
export const Secret = ({ secret, name, advice, copyLabel }: SecretProps) => {
  useUnloadWarning(true);
  return (
    <div className="secret">
      <p className="notice warn">
        <KeyRound size={18} aria-hidden />
        {advice}
      </p>
      <div className="secret-line">
        <code className="code" tabIndex={0} aria-label={name}>
          {secret}
        </code>
        <Copy text={secret} label={copyLabel} />
      </div>
    </div>
  );
};
