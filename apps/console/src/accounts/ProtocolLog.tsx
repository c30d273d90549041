import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../texts/text.ts";
import { Button } from "../ui/Button.tsx";
import { Choice } from "../ui/forms/Choice.tsx";
import { Copy } from "../ui/Copy.tsx";
import { errorText } from "../ui/error-text.ts";
import { Download, Trash2 } from "../ui/icons/icons.tsx";
import { toast } from "../ui/toast.ts";
import type { Account } from "./records/accounts.ts";
import { adminApi } from "./records/admin-key.ts";
import { forgetProtocolLog, refetchProtocolLog, saveText, useProtocolLog } from "./records/protocol-log.ts";

const lengths = () =>
  [5, 15, 60].map((minutes) => ({
    id: String(minutes),
    name: t("{minutes, plural, one {# minute} other {# minutes}}", { minutes }),
  }));

/** Records, shows and deletes the protocol log of an account. The log is fetched when the operator opens it. */
export const ProtocolLog = ({ account: { id, email } }: { readonly account: Account }) => {
  const [isShown, setShown] = useState(false);
  const [minutes, setMinutes] = useState("15");
  const log = useProtocolLog(id, isShown);
  const start = useMutation({
    mutationFn: () =>
      adminApi("POST /api/accounts/:id/trace", { params: { id }, payload: { minutes: Number(minutes) } }),
    onSuccess: () => {
      setShown(true);
      return refetchProtocolLog(id);
    },
    onError: (error) => toast(errorText(error)),
  });
  const end = useMutation({
    mutationFn: () => adminApi("DELETE /api/accounts/:id/trace", { params: { id } }),
    onSuccess: () => {
      setShown(false);
      forgetProtocolLog(id);
      toast(t("Protocol log deleted."));
    },
    onError: (error) => toast(errorText(error)),
  });
  const isMissing = log.error instanceof ApiProblem && log.error.code === "trace_not_found";
  return (
    <section className="protocol-log" aria-labelledby="protocol-log">
      <h2 id="protocol-log">{t("Protocol log")}</h2>
      <p className="soft">
        {t(
          "For support cases: the conversation of Postern with the mail servers of this account, without passwords, tokens and the contents of messages. The log is deleted a day after the end of the recording.",
        )}
      </p>
      <div className="list-filter">
        <Choice label={t("Record for")} value={minutes} options={lengths()} onChange={setMinutes} />
        <Button isPending={start.isPending} onPress={() => start.mutate()}>
          {t(log.data === undefined ? "Start recording" : "Record from now on")}
        </Button>
        {!isShown && <Button onPress={() => setShown(true)}>{t("Show the log")}</Button>}
      </div>
      {isShown &&
        (isMissing ? (
          <p>{t("The account has no protocol log.")}</p>
        ) : (
          log.isError && <p className="notice bad">{errorText(log.error)}</p>
        ))}
      {isShown && log.data !== undefined && (
        <>
          <pre className="code" role="region" tabIndex={0} aria-label={t("Lines of the protocol log")}>
            {log.data}
          </pre>
          <div className="buttons">
            <Copy text={log.data} label={t("Copy the protocol log")} />
            <Button icon={<Download size={16} aria-hidden />} onPress={() => saveText(`${email}.log`, log.data)}>
              {t("Download")}
            </Button>
            <Button
              look="danger"
              icon={<Trash2 size={16} aria-hidden />}
              isPending={end.isPending}
              onPress={() => end.mutate()}
            >
              {t("End and delete")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
};
