import { Component, type ReactNode } from "react";
import { Failed } from "../ui/Failed.tsx";

/** Shows a page's error in its place; the rest of the console stays usable. */
export class PageFault extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main className="page">
        <Failed error={this.state.error} onRetry={() => location.reload()} />
      </main>
    );
  }
}
