import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { t } from "../../texts/text.ts";

export interface PdfFileProps {
  readonly name: string;
  readonly url: string;
}

/** An attached PDF in the browser's own viewer. */
export const PdfFile = ({ name, url }: PdfFileProps) => {
  const file = useQuery({
    queryKey: ["pdf-file", url],
    queryFn: async ({ signal }): Promise<Blob> => {
      const answer = await fetch(url, { signal });
      if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
      // The type selects the viewer, so it is fixed instead of chosen by the sender.
      return new Blob([await answer.arrayBuffer()], { type: "application/pdf" });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (file.isError) return <p className="fault">{t("The file could not be read.")}</p>;
  return file.data === undefined ? (
    <p className="soft">{t("Loading…")}</p>
  ) : (
    <PdfViewer title={`PDF ${name}`} file={file.data} />
  );
};

const PdfViewer = ({ title, file }: { readonly title: string; readonly file: Blob }) => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url === undefined ? null : <iframe className="file-pdf" title={title} src={`${url}#navpanes=0`} />;
};
