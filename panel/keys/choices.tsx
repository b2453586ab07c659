import type { ReactNode } from 'react';
import './choices.css';

interface PresetsProps {
  readonly presets: Readonly<Record<string, readonly string[]>>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Buttons that choose a whole set; the one that is chosen is pressed. */
export function Presets({ presets, chosen, onChange }: PresetsProps) {
  const current = presetOf(presets, chosen);
  return (
    <div className="row presets" role="group" aria-label="Presets">
      {Object.entries(presets).map(([name, members]) => (
        <button key={name} type="button" aria-pressed={name === current} onClick={() => onChange(members)}>
          {name}
        </button>
      ))}
      <span className="quiet small" role="status">
        {current === undefined && 'a choice of your own'}
      </span>
    </div>
  );
}

/** The preset with exactly these members; undefined if they are a choice of one's own. */
export function presetOf(presets: PresetsProps['presets'], chosen: readonly string[]): string | undefined {
  const isSame = (preset: readonly string[]) =>
    preset.length === chosen.length && preset.every((one) => chosen.includes(one));
  return Object.keys(presets).find((name) => isSame(presets[name]!));
}

interface ChoiceProps {
  readonly value: string;
  /** What it means, in a sentence. */
  readonly children: ReactNode;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A box with its name and a sentence. */
export function Choice({ value, children, chosen, onChange }: ChoiceProps) {
  const isChosen = chosen.includes(value);
  const toggle = () => onChange(isChosen ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <label className="choice">
      <input type="checkbox" checked={isChosen} onChange={toggle} />
      <span>
        <code>{value}</code>
        <small>{children}</small>
      </span>
    </label>
  );
}
