import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { Button } from "../Button.tsx";

export interface FormButtonsProps {
  readonly submit: string;
  readonly isPending: boolean;
  /** The page to which Cancel returns. */
  readonly cancel: string;
}

/** The last line of a form that fills a page. */
export const FormButtons = ({ submit, isPending, cancel }: FormButtonsProps) => (
  <div className="buttons">
    <Button type="submit" look="primary" isPending={isPending}>
      {submit}
    </Button>
    <Link href={cancel} className="button">
      {t("Cancel")}
    </Link>
  </div>
);
