import { useMutation } from "@tanstack/react-query";
import { Button } from "../../ui/Button.tsx";
import { Download } from "../../ui/icons/icons.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import type { Message } from "../emails/message.ts";
import { zipNames } from "./zip-names.ts";
import { t } from "../../texts/text.ts";

export interface DownloadAllProps {
  readonly attachments: Message["attachments"];
  /** The name of the archive, without its suffix. */
  readonly name: string;
}

/** Downloads all attachments as one archive, which the browser creates. */
export const DownloadAll = ({ attachments, name }: DownloadAllProps) => {
  const download = useMutation({
    mutationFn: async () => {
      const { downloadZip } = await import("client-zip");
      return downloadZip(fetchFiles(attachments)).blob();
    },
    onSuccess: (archive) => save(archive, zipNames([`${name}.zip`])[0]!),
    onError: (error) => toast(errorText(error)),
  });
  return (
    <Button
      className="small"
      icon={<Download size={16} aria-hidden />}
      isPending={download.isPending}
      onPress={() => download.mutate()}
    >
      {t(download.isPending ? "Downloading…" : "Download all")}
    </Button>
  );
};

async function* fetchFiles(attachments: Message["attachments"]) {
  const names = zipNames(attachments.map((attachment) => attachment.name));
  for (const [index, { url }] of attachments.entries()) {
    const input = await fetch(url);
    if (!input.ok) throw new Error(`The service answered ${input.status} for ${names[index]}`);
    yield { name: names[index]!, input };
  }
}

const save = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
