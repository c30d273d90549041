import { KeyRound } from "../../ui/icons.tsx";
import { Copy } from "../../ui/Copy.tsx";
import { useUnloadWarning } from "../../ui/unload-warning.ts";

/** A signing secret, shown only once. */
export const Secret = ({ secret }: { readonly secret: string }) => {
  useUnloadWarning(true);
  return (
    <div className="secret">
      <p className="notice warn">
        <KeyRound size={18} aria-hidden />
        Copy the signing secret now. It is not shown again; if you lose it, rotate it.
      </p>
      <div className="secret-line">
        <code className="code" tabIndex={0} aria-label="Signing secret">
          {secret}
        </code>
        <Copy text={secret} name="the signing secret" />
      </div>
    </div>
  );
};
