import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "../texts/text.ts";
import { api, queries } from "../api/client.ts";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { errorText } from "../ui/error-text.ts";
import { Failed } from "../ui/Failed.tsx";
import { toast } from "../ui/toast.ts";

/** The senders whose mail is moved to Junk when it arrives; each can be unblocked (spec 5.9). */
export const BlockedSenders = () => {
  const blocks = useQuery({
    queryKey: ["blocks"],
    queryFn: async ({ signal }) => (await api("GET /api/settings/blocks", { signal })).data,
  });
  const unblock = useMutation({
    mutationFn: (id: string) => api("DELETE /api/settings/blocks/:id", { params: { id } }),
    onError: (error) => toast(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["blocks"] }),
  });
  if (blocks.isPending) return <Bones rows={2} label={t("Loading the blocked senders")} />;
  if (blocks.isError) return <Failed error={blocks.error} onRetry={blocks.refetch} />;
  if (blocks.data.length === 0) {
    return (
      <Empty title={t("No blocked senders")}>
        <p>{t("To block a sender, open the menu of a message.")}</p>
      </Empty>
    );
  }
  return (
    <ul className="lines" aria-label={t("Blocked senders")}>
      {blocks.data.map(({ id, address }) => (
        <li key={id} className="line">
          <p className="line-main line-name" dir="auto">
            {address}
          </p>
          <Button
            aria-label={t("Unblock {address}", { address })}
            isPending={unblock.isPending && unblock.variables === id}
            onPress={() => unblock.mutate(id)}
          >
            {t("Unblock")}
          </Button>
        </li>
      ))}
    </ul>
  );
};
