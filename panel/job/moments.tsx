import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { Time } from '../look/parts.js';

interface MomentsProps {
  readonly events: readonly PanelEvent[];
  /** Undefined: now. */
  readonly at: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}

/** Moves the page through the moments of the stored events; after the last one it shows the present. */
export function Moments({ events, at, onChange }: MomentsProps) {
  const moments = [...new Set(events.map(({ recorded_at }) => recorded_at))];
  const last = moments.length - 1;
  if (last < 1) return null;
  const moveTo = (n: number) => onChange(n >= last ? undefined : moments[n]);
  return (
    <label className="field">
      <span>As it was: {at === undefined ? 'now' : <Time at={at} exact />}</span>
      <input
        type="range"
        max={last}
        value={at === undefined ? last : moments.indexOf(at)}
        aria-valuetext={at ?? 'now'}
        onChange={({ target }) => moveTo(target.valueAsNumber)}
      />
    </label>
  );
}
