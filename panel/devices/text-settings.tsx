import type { FormEvent } from 'react';
import type { Printer } from '../../sdk/src/generated/integration.js';
import type { PrinterChangesBody } from '../../sdk/src/generated/panel.js';
import { useChange } from '../api/reads.js';
import { Dialog, FormButtons } from '../look/dialogs.js';

type Choice = readonly [value: string, label: string];

const ENCODINGS = [
  ...['utf-8', 'windows-1252', 'cp437', 'cp850', 'cp852', 'cp858', 'cp866'],
  ...['iso8859-15', 'shift_jis', 'gb18030'],
].map((name): Choice => [name, name]);
const LINE_ENDINGS: readonly Choice[] = [
  ['lf', 'LF'],
  ['crlf', 'CR LF'],
  ['cr', 'CR'],
];
const MODES: readonly Choice[] = [
  ['raw', 'sent to the printer as bytes'],
  ['pages', 'drawn as pages'],
];
const CUTS: readonly Choice[] = [
  ['true', 'cut after each copy'],
  ['false', 'do not cut'],
];

interface TextSettingsProps {
  readonly printer: Printer;
  readonly onClose: () => void;
}

/** How a printer takes text documents. */
export function TextSettings({ printer, onClose }: TextSettingsProps) {
  const update = useChange('updatePrinter', 'printers');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string): string | null => String(form.get(name)) || null;
    const cut = given('cut');
    const body = {
      text_encoding: given('encoding'),
      line_ending: given('ending'),
      text_mode: given('mode'),
      cut_after: cut && cut === 'true',
    } as PrinterChangesBody;
    update.mutate({ params: { printer_id: printer.printer_id }, body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Text on this printer" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Select label="Encoding" name="encoding" choices={ENCODINGS} value={printer.text_encoding} />
        <Select label="Line ends" name="ending" choices={LINE_ENDINGS} value={printer.line_ending} />
        <Select label="Text is" name="mode" choices={MODES} value={printer.text_mode} />
        <Select label="ESC/POS" name="cut" choices={CUTS} value={printer.cut_after?.toString()} />
        <FormButtons action="Save" error={update.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
}

function Select({ label, name, choices, value = '' }: SelectProps) {
  return (
    <label className="field">
      {label}
      <select name={name} defaultValue={value}>
        <option value="">not set</option>
        {choices.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
