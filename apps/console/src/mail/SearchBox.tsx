import { Search, X } from "../ui/icons.tsx";
import { useRef } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { useLocation } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";

/** A search of all folders; `/` focuses it. */
export const SearchBox = ({ text = "" }: { readonly text?: string }) => {
  const input = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  useShortcuts({ "/": () => input.current?.focus() });
  return (
    <SearchField
      key={text}
      className="search"
      aria-label="Search all folders"
      defaultValue={text}
      onSubmit={(value) => value.trim() !== "" && navigate(`/search?q=${encodeURIComponent(value.trim())}`)}
      onClear={() => text !== "" && navigate("/mail/inbox")}
    >
      <Search size={16} aria-hidden />
      <Input ref={input} className="input" placeholder="Search all folders" maxLength={500} />
      <Button className="button quiet icon">
        <X size={16} aria-hidden />
      </Button>
    </SearchField>
  );
};
