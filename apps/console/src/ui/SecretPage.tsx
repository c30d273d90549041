import type { ReactNode } from "react";
import { Link } from "wouter";
import { Secret, type SecretProps } from "./Secret.tsx";

export interface SecretPageProps extends SecretProps {
  readonly title: string;
  /** The purpose of the secret. */
  readonly children: ReactNode;
  /** Help on the use of the secret, shown below it. */
  readonly help?: ReactNode;
  /** The link that follows the copying of the secret, and its text. */
  readonly next: string;
  readonly nextLabel: string;
}

/** The page that shows a new secret, once. */
export const SecretPage = ({ title, children, help, next, nextLabel, ...secret }: SecretPageProps) => (
  <>
    <header className="page-head">
      <h1>{title}</h1>
    </header>
    <div className="form">
      <p>{children}</p>
      <Secret {...secret} />
      {help}
      <div className="buttons">
        <Link href={next} className="button primary">
          {nextLabel}
        </Link>
      </div>
    </div>
  </>
);
