import { useEffect, useState } from "react";
import { t } from "../../texts/text.ts";
import { setUndoSeconds, UNDO_CHOICES, undoSeconds } from "../../compose/text/writing-settings.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Plus } from "../../ui/icons/icons.tsx";
import { type Identity, useIdentities } from "../../compose/fields/identities.ts";
import { IdentityForm } from "./IdentityForm.tsx";
import { IdentityLine } from "./IdentityLine.tsx";

const undoOptions = () =>
  UNDO_CHOICES.map((seconds) => ({
    id: String(seconds),
    name:
      seconds === 0 ? t("Off: send at once") : t("{seconds, plural, one {# second} other {# seconds}}", { seconds }),
  }));

/** The senders of the account with their signatures, and the settings for sending in this browser. */
export const WritingSettings = () => {
  const identities = useIdentities();
  const [open, setOpen] = useState<Identity | "new" | null>(null);
  const [undo, setUndo] = useState(() => String(undoSeconds()));
  useEffect(() => {
    document.title = `${t("Writing")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Writing")}</h1>
        <Button look="primary" icon={<Plus size={17} aria-hidden />} onPress={() => setOpen("new")}>
          {t("Add sender")}
        </Button>
      </header>
      <p className="intro">{t("The names, addresses and signatures that you send mail with.")}</p>
      {identities.isPending ? (
        <Bones rows={2} label={t("Loading the senders")} />
      ) : identities.isError ? (
        <Failed error={identities.error} onRetry={identities.refetch} />
      ) : (
        <ul className="lines">
          {identities.data.map((identity, n) => (
            <IdentityLine key={identity.id} identity={identity} isOwn={n === 0} onChange={() => setOpen(identity)} />
          ))}
        </ul>
      )}
      <section className="writing-choices" aria-label={t("Sending")}>
        <Choice
          label={t("Time to undo sending, in this browser")}
          value={undo}
          options={undoOptions()}
          onChange={(seconds) => {
            setUndo(seconds);
            setUndoSeconds(Number(seconds));
          }}
        />
      </section>
      {open !== null && <IdentityForm identity={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
};
