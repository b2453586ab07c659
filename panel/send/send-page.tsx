import { useRef, useState, type FormEvent } from 'react';
import type { CreatePrintJobBody, Printer } from '../../sdk/src/generated/integration.js';
import { useRead } from '../api/reads.js';
import { useMissingRole } from '../api/session.js';
import { Page } from '../app/page.js';
import { Problem, Read } from '../look/parts.js';
import { OptionsFields } from './options-fields.js';
import type { Options } from './options.js';
import { PrinterField } from './printer-field.js';
import { useSend } from './use-send.js';
import { contentOf, curlOf, guessOf, kindOf, typescriptOf, type Content } from './content.js';

const READY = { limit: 100, offset: 0, status: 'online' } as const;

export function SendPage() {
  const printers = useRead('printers', 'listPrinters', { query: READY });
  return (
    <Page title="Send">
      <Read of={printers}>
        {({ items }) => <SendForm printers={items.filter(({ enabled }) => enabled)} />}
      </Read>
    </Page>
  );
}

/** The fields that have a value. */
const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Boolean(value))) as Partial<T>;

interface Chosen {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const TITLE_LENGTH = 160;
/** The name of the file is its title, until the person writes another one. Counted as the API counts. */
const titleOf = (file: Chosen | undefined) => [...(file?.name ?? '')].slice(0, TITLE_LENGTH).join('');

/** The file that was chosen last, once it is read. */
function useFile(onRead: (kind: 'text' | 'raw') => void) {
  const [file, setFile] = useState<Chosen>();
  const latest = useRef<File>(undefined);
  const read = async (chosen: File | undefined) => {
    latest.current = chosen;
    const bytes = chosen && new Uint8Array(await chosen.arrayBuffer());
    if (latest.current !== chosen) return;
    setFile(chosen && bytes && { name: chosen.name, bytes });
    if (chosen && bytes) onRead(guessOf(chosen.name, bytes));
  };
  return { file, read };
}

function SendForm({ printers }: { readonly printers: readonly Printer[] }) {
  const missingRole = useMissingRole('jobs:create');
  const [kind, setKind] = useState<'text' | 'raw'>('text');
  const { file, read } = useFile(setKind);
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState(printers[0]?.printer_id);
  const printerId = chosenId ?? printers[0]?.printer_id ?? '';
  const [copies, setCopies] = useState(1);
  const [written, setWritten] = useState<string>();
  const title = written ?? titleOf(file);
  const [options, setOptions] = useState<Options>();
  const { send, printTestPage, isBusy, errors } = useSend();
  const printer = printers.find(({ printer_id }) => printer_id === printerId);
  const isNoneReady = printers.length === 0;
  const hasPages = !file || kindOf(file.bytes) === 'pdf' || kind === 'text';
  const settings = {
    ...{ printer_id: printerId, copies, ...given({ title: title.trim() }) },
    ...(hasPages && given({ options })),
  };
  const sampleOf: CreatePrintJobBody['content'] = { type: 'text', encoding: 'utf8', data: text || 'Hello' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed: Content = { type: 'text', encoding: 'utf8', data: text };
    send(() => ({
      ...settings,
      content: file ? contentOf(file.bytes, kindOf(file.bytes) ?? kind) : typed,
    }));
  };
  const choose = (chosen: File | undefined) => {
    setWritten((given) => given || undefined);
    void read(chosen);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <fieldset className="stack bare" disabled={missingRole !== undefined}>
        <legend className="hidden">Document</legend>
        <label className="field">
          File
          <input type="file" onChange={(event) => choose(event.target.files?.[0])} />
        </label>
        {file ? (
          <KindOfFile file={file} kind={kind} setKind={setKind} />
        ) : (
          <TextField text={text} setText={setText} />
        )}
        <PrinterField
          printers={printers}
          printerId={printerId}
          setPrinterId={(chosen) => {
            setChosenId(chosen);
            setOptions(undefined);
          }}
        />
        <CopiesField copies={copies} setCopies={setCopies} />
        <label className="field">
          Title
          <input
            value={title}
            maxLength={TITLE_LENGTH}
            onChange={(event) => setWritten(event.target.value)}
          />
        </label>
        {hasPages && (
          <OptionsFields capabilities={printer?.capabilities} options={options} setOptions={setOptions} />
        )}
        <SendButtons
          isBusy={isBusy}
          isNoneReady={isNoneReady}
          isEmpty={!file && text === ''}
          missingRole={missingRole}
          onTestPage={() => printTestPage(printerId)}
        />
      </fieldset>
      {errors.map((error) => (
        <Problem key={error.message} error={error} />
      ))}
      <Samples body={{ ...settings, content: sampleOf }} />
    </form>
  );
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isNoneReady: boolean;
  readonly isEmpty: boolean;
  readonly missingRole: string | undefined;
  readonly onTestPage: () => void;
}

function SendButtons({ isBusy, isNoneReady, isEmpty, missingRole, onTestPage }: ButtonsProps) {
  const isOff = isBusy || isNoneReady;
  const hint = isNoneReady
    ? 'Nothing can be sent until a printer is ready.'
    : isEmpty && 'Choose a file or write a text to send.';
  return (
    <div className="row">
      <button type="submit" className="main" disabled={isOff || isEmpty}>
        Send
      </button>
      <button type="button" disabled={isOff} onClick={onTestPage}>
        Print a test page
      </button>
      <small className="quiet">{missingRole ? `needs the role ${missingRole}` : hint}</small>
    </div>
  );
}

interface CopiesProps {
  readonly copies: number;
  readonly setCopies: (copies: number) => void;
}

function CopiesField({ copies, setCopies }: CopiesProps) {
  return (
    <label className="field">
      Copies
      <input
        type="number"
        min={1}
        max={20}
        value={copies}
        onChange={(event) => setCopies(event.target.valueAsNumber || 1)}
      />
    </label>
  );
}

function TextField({ text, setText }: { readonly text: string; readonly setText: (text: string) => void }) {
  return (
    <label className="field">
      or text
      <textarea value={text} onChange={(event) => setText(event.target.value)} />
    </label>
  );
}

interface KindProps {
  readonly file: Chosen;
  readonly kind: 'text' | 'raw';
  readonly setKind: (kind: 'text' | 'raw') => void;
}

function KindOfFile({ file, kind, setKind }: KindProps) {
  if (kindOf(file.bytes)) return <p>{file.name} is a PDF.</p>;
  return (
    <label className="field">
      What is in {file.name}?
      <select value={kind} onChange={(event) => setKind(event.target.value as 'text' | 'raw')}>
        <option value="text">text in UTF-8</option>
        <option value="raw">commands of the printer, such as ZPL, EPL or ESC/POS</option>
      </select>
    </label>
  );
}

function Samples({ body }: { readonly body: CreatePrintJobBody }) {
  const origin = location.origin;
  return (
    <details>
      <summary>The same with curl and TypeScript</summary>
      <div className="stack">
        <pre tabIndex={0} aria-label="curl">
          {curlOf(origin, body)}
        </pre>
        <pre tabIndex={0} aria-label="TypeScript">
          {typescriptOf(origin, body)}
        </pre>
      </div>
    </details>
  );
}
