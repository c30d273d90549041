import { Component, type ReactNode } from "react";
import { Failed } from "../ui/Failed.tsx";
import { forgetLostPages } from "./lazy-page.tsx";

export interface PageFaultProps {
  /** The address of the page. */
  readonly at: string;
  readonly children: ReactNode;
}

/** Shows an error in place of the page until another page is opened; the rest of the console stays usable. */
export class PageFault extends Component<PageFaultProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ at }: PageFaultProps): void {
    if (this.state.error !== undefined && at !== this.props.at) this.#tryAgain();
  }

  readonly #tryAgain = (): void => {
    forgetLostPages();
    this.setState({ error: undefined });
  };

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main className="page">
        <Failed error={this.state.error} onRetry={this.#tryAgain} />
      </main>
    );
  }
}
