import { useQuery } from "@tanstack/react-query";
import { bytes } from "../../ui/bytes.ts";
import { t } from "../../texts/text.ts";

/** Maximum number of bytes shown of a text. */
const SHOWN_BYTES = 64 * 1024;

export interface TextFileProps {
  readonly name: string;
  readonly url: string;
  readonly size: number;
}

/** The beginning of an attached text, read from the service. */
export const TextFile = ({ name, url, size }: TextFileProps) => {
  const text = useQuery({
    queryKey: ["text-file", url],
    queryFn: async ({ signal }): Promise<string> => {
      const answer = await fetch(url, { signal, headers: { range: `bytes=0-${SHOWN_BYTES - 1}` } });
      if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
      return new TextDecoder().decode(await answer.arrayBuffer());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      {text.isError ? (
        <p className="fault">{t("The file could not be read.")}</p>
      ) : (
        <pre className="code file-text" dir="auto" tabIndex={0} aria-label={name}>
          {text.data ?? t("Loading…")}
        </pre>
      )}
      {size > SHOWN_BYTES && <p className="soft">{t("The first {size} are shown.", { size: bytes(SHOWN_BYTES) })}</p>}
    </>
  );
};
