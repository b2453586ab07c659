interface RangeFieldsProps {
  readonly from: string;
  readonly to: string;
  readonly onChange: (changes: { readonly from: string } | { readonly to: string }) => void;
}

/** First and last day that a list shows, or their minutes, if a chart led to an hour. */
export function RangeFields({ from, to, onChange }: RangeFieldsProps) {
  return (
    <>
      <label className="field">
        From
        <input {...when(from)} max={to} onChange={(event) => onChange({ from: event.target.value })} />
      </label>
      <label className="field">
        To
        <input {...when(to)} min={from} onChange={(event) => onChange({ to: event.target.value })} />
      </label>
    </>
  );
}

const when = (value: string) => ({ type: value.includes('T') ? 'datetime-local' : 'date', value });

interface ChooseProps {
  readonly name: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter by one value. */
export function Choose({ name, options, value, onChange }: ChooseProps) {
  return (
    <label className="field">
      {name}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">all</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
