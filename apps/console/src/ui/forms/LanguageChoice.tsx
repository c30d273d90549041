import { chooseLanguage, LANGUAGES, useLanguage } from "../../texts/language.ts";
import { t } from "../../texts/text.ts";
import { Choice } from "./Choice.tsx";

const OPTIONS = Object.entries(LANGUAGES).map(([id, name]) => ({ id: id as keyof typeof LANGUAGES, name }));

/** The choice of the language of all pages, which this browser remembers. */
export const LanguageChoice = () => {
  const language = useLanguage();
  return (
    <Choice
      label={t("Language")}
      value={language}
      options={OPTIONS}
      onChange={(id) => {
        const chosen = OPTIONS.find((option) => option.id === id);
        if (chosen !== undefined) void chooseLanguage(chosen.id);
      }}
    />
  );
};
