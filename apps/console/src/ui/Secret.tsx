import { Copy } from "./Copy.tsx";
import { KeyRound } from "./icons/icons.tsx";
import { useUnloadWarning } from "./unload-warning.ts";

export interface SecretProps {
  readonly secret: string;
  /** The kind of secret, such as `signing secret`. */
  readonly name: string;
  /** What to do if it is lost. */
  readonly ifLost: string;
}

/** A secret, shown only once. */
export const Secret = ({ secret, name, ifLost }: SecretProps) => {
  useUnloadWarning(true);
  return (
    <div className="secret">
      <p className="notice warn">
        <KeyRound size={18} aria-hidden />
        Copy the {name} now. It is not shown again; if you lose it, {ifLost}.
      </p>
      <div className="secret-line">
        <code className="code" tabIndex={0} aria-label={name[0]!.toUpperCase() + name.slice(1)}>
          {secret}
        </code>
        <Copy text={secret} name={`the ${name}`} />
      </div>
    </div>
  );
};
