import { Check, Copy as CopyIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "./Button.tsx";

/** Puts a text onto the clipboard, and says that it did. */
export const Copy = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const Icon = isCopied ? Check : CopyIcon;
  return (
    <Button onPress={() => void copy()} icon={<Icon size={16} aria-hidden />} aria-label={`Copy ${name}`}>
      <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
    </Button>
  );
};
