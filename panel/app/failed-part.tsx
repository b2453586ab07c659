import { Component, type ReactNode } from 'react';
import { PartMissing } from '../api/lazy.js';

interface Props {
  /** A failure ends when another page is opened. */
  readonly path?: string;
  readonly children: ReactNode;
}

/** In place of a page that cannot be shown: says why, and offers to load the panel again. */
export class FailedPart extends Component<Props, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: Props) {
    if (before.path !== this.props.path && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="box problem stack" role="alert">
        <p>{error instanceof PartMissing ? 'The panel was updated.' : 'This page cannot be shown.'}</p>
        <div>
          <button type="button" className="main" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </div>
    );
  }
}
