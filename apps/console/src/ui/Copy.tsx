import { Check, Copy as CopyIcon } from "./icons/icons.tsx";
import { useState } from "react";
import { Button } from "./Button.tsx";
import { toast } from "./toast.ts";

/** A button that copies a text to the clipboard and confirms that. */
export const Copy = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast("The browser did not allow copying: select the text and copy it by hand.");
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const word = isCopied ? "Copied" : "Copy";
  const Icon = isCopied ? Check : CopyIcon;
  return (
    <Button onPress={() => void copy()} icon={<Icon size={16} aria-hidden />} aria-label={`${word} ${name}`}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
};
