import { Component, type ReactNode } from "react";
import { Failed } from "../ui/Failed.tsx";

/** A fault in a page shows in its place, and leaves the rest standing. */
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
