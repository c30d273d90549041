import { useMessage } from "../../mail/emails/message.ts";
import { t } from "../../texts/text.ts";
import { Paperclip } from "../../ui/icons/icons.tsx";

/** The files of a forwarded message, until the draft with these files is stored. */
export const CarriedFiles = ({ id }: { readonly id: string }) => {
  const files = (useMessage(id).data?.attachments ?? []).filter(({ inline }) => !inline);
  if (files.length === 0) return null;
  return (
    <p className="notice">
      <Paperclip size={17} aria-hidden />
      {t("Forwarded attachments: {names}", {
        names: files.map(({ name }) => name ?? t("unnamed file")).join(t(", ")),
      })}
    </p>
  );
};
