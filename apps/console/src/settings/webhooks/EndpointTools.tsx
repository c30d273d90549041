import { useMutation } from "@tanstack/react-query";
import { KeyRound, Pencil, Power, RotateCcw, Trash2, Zap } from "../../ui/icons/icons.tsx";
import { useState } from "react";
import { rich, t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import { ChangeEndpoint } from "./ChangeEndpoint.tsx";
import { RemoveEndpoint } from "./RemoveEndpoint.tsx";
import { Replay } from "./Replay.tsx";
import { RotateSecret } from "./RotateSecret.tsx";
import { TestEvent } from "./TestEvent.tsx";
import { type Endpoint, refetchEndpoint } from "./webhooks.ts";

type Open = "test" | "replay" | "rotate" | "change" | "remove" | null;

/** The actions on an endpoint; if it is disabled, also the reason and how to enable it. */
export const EndpointTools = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { id, enabled } = endpoint;
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const turn = useMutation({
    mutationFn: () =>
      enabled
        ? api("POST /api/settings/webhooks/:id/disable", { params: { id } })
        : api("POST /api/settings/webhooks/:id/enable", { params: { id } }),
    onSuccess: ({ data }) =>
      toast(
        t(data.enabled ? "Endpoint enabled. Replay the events that were held." : "Endpoint disabled. Events are held."),
      ),
    onError: (error) => toast(errorText(error)),
    onSettled: () => refetchEndpoint(id),
  });
  return (
    <>
      {!enabled && (
        <div className={endpoint.disabledReason === "exhausted" ? "notice bad" : "notice warn"}>
          <Power size={18} aria-hidden />
          <div>
            <p>
              {rich(
                endpoint.disabledReason === "exhausted"
                  ? "<b>Disabled because the last retry of an event failed</b>{when, select, known {, <time></time>} other {}}."
                  : "<b>You disabled this endpoint</b>{when, select, known {, <time></time>} other {}}.",
                {
                  b: (chunks) => <strong>{chunks}</strong>,
                  when: endpoint.disabledAt === null ? "unknown" : "known",
                  time: () => <Moment at={endpoint.disabledAt!} whole />,
                },
              )}
            </p>
            <p>{t("Events are held for 14 days. Enable the endpoint, then replay them.")}</p>
          </div>
        </div>
      )}
      <div className="buttons endpoint-tools">
        <Button
          look={enabled ? "plain" : "primary"}
          icon={<Power size={16} aria-hidden />}
          isPending={turn.isPending}
          onPress={() => turn.mutate()}
        >
          {t(enabled ? "Disable" : "Enable")}
        </Button>
        <Button icon={<Zap size={16} aria-hidden />} onPress={() => setOpen("test")}>
          {t("Send test event")}
        </Button>
        <Button icon={<RotateCcw size={16} aria-hidden />} isDisabled={!enabled} onPress={() => setOpen("replay")}>
          {t("Replay")}
        </Button>
        <Button icon={<Pencil size={16} aria-hidden />} onPress={() => setOpen("change")}>
          {t("Change")}
        </Button>
        <Button icon={<KeyRound size={16} aria-hidden />} onPress={() => setOpen("rotate")}>
          {t("Rotate secret")}
        </Button>
        <Button look="danger" icon={<Trash2 size={16} aria-hidden />} onPress={() => setOpen("remove")}>
          {t("Delete")}
        </Button>
      </div>
      {open === "test" && <TestEvent endpoint={endpoint} onClose={close} />}
      {open === "replay" && <Replay endpoint={endpoint} onClose={close} />}
      {open === "change" && <ChangeEndpoint endpoint={endpoint} onClose={close} />}
      {open === "rotate" && <RotateSecret endpoint={endpoint} onClose={close} />}
      {open === "remove" && <RemoveEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
};
