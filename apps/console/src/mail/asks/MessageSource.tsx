import { Button } from "../../ui/Button.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Download } from "../../ui/icons/icons.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { useMessage } from "../emails/message.ts";
import { TextFile } from "../files/TextFile.tsx";
import { t } from "../../texts/text.ts";

export interface MessageSourceProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A dialog with the source of a message on the mail server: the header fields, followed by the body. */
export const MessageSource = ({ id, onClose }: MessageSourceProps) => {
  const message = useMessage(id);
  return (
    <Popup title={t("Headers and source")} isOpen onClose={onClose} wide>
      {message.isError && <Failed error={message.error} onRetry={message.refetch} />}
      {message.data !== undefined && (
        <TextFile name={t("Source of the message")} url={message.data.rawUrl} size={message.data.size} />
      )}
      <div className="buttons end">
        {message.data !== undefined && (
          <a href={message.data.rawUrl} download={`${id}.eml`} className="button">
            <Download size={16} aria-hidden />
            {t("Download original message")}
          </a>
        )}
        <Button autoFocus onPress={onClose}>
          {t("Close")}
        </Button>
      </div>
    </Popup>
  );
};
