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

interface ChoicesProps extends Pick<PresetsProps, 'chosen' | 'onChange'> {
  readonly values: readonly string[];
  /** What each value means. */
  readonly sentences: Readonly<Record<string, string>>;
}

/** A box for each value, with its name and a sentence. */
export function Choices({ values, sentences, chosen, onChange }: ChoicesProps) {
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <div className="choices">
      {values.map((value) => (
        <label key={value} className="choice">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span>
            <code>{value}</code>
            <small>{sentences[value]}</small>
          </span>
        </label>
      ))}
    </div>
  );
}
