import type { PrinterCapabilities } from '../../sdk/src/generated/integration.js';
import { choicesOf, withOption, type Choice, type Options } from './options.js';

interface OptionsProps {
  readonly capabilities: PrinterCapabilities | undefined;
  readonly options: Options | undefined;
  readonly setOptions: (options: Options | undefined) => void;
}

/** How the pages are printed: what the chosen printer can do. */
export function OptionsFields({ capabilities, options, setOptions }: OptionsProps) {
  const choices = choicesOf(capabilities);
  if (choices.length === 0) return null;
  const choose = (name: keyof Options, value: string | number | boolean | undefined) =>
    setOptions(withOption(options, name, value));
  return (
    <details>
      <summary>Paper, size and sides</summary>
      <div className="stack">
        {choices.map((choice) => (
          <ChoiceField
            key={choice.name}
            choice={choice}
            value={options?.[choice.name]}
            choose={(value) => choose(choice.name, value)}
          />
        ))}
        {capabilities?.options?.includes('pages') && (
          <label className="field">
            Pages
            <input
              value={options?.pages ?? ''}
              placeholder="all"
              onChange={(event) => choose('pages', event.target.value.trim() || undefined)}
            />
            <small>1-3,7,10-</small>
          </label>
        )}
        <label className="row">
          <input
            type="checkbox"
            checked={options?.unsupported === 'ignore'}
            onChange={(event) => choose('unsupported', event.target.checked ? 'ignore' : undefined)}
          />
          Print even if the printer cannot do all of this
        </label>
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly choice: Choice;
  readonly value: unknown;
  readonly choose: (value: string | number | boolean | undefined) => void;
}

function ChoiceField({ choice: { label, values }, value, choose }: ChoiceProps) {
  const chosen = values.findIndex(([one]) => one === value);
  return (
    <label className="field">
      {label}
      <select value={chosen} onChange={(event) => choose(values[Number(event.target.value)]?.[0])}>
        <option value={-1}>as the printer is set</option>
        {values.map(([one, word], index) => (
          <option key={String(one)} value={index}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
