import { Check, Copy as CopyIcon } from "./icons/icons.tsx";
import { useState } from "react";
import { t } from "../texts/text.ts";
import { Button } from "./Button.tsx";
import { toast } from "./toast.ts";

/** A button that copies a text to the clipboard and confirms that. */
export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast(t("The browser did not allow copying: select the text and copy it by hand."));
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const word = t(isCopied ? "Copied" : "Copy");
  const Icon = isCopied ? Check : CopyIcon;
  return (
    <Button onPress={() => void copy()} icon={<Icon size={16} aria-hidden />} aria-label={isCopied ? word : label}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
};
