import { useState, type FormEvent } from 'react';
import type { MemberAlerts } from '../../sdk/src/generated/panel.js';
import { useChange } from '../api/reads.js';
import { Problem } from '../look/parts.js';
import { Channels } from './channels.js';
import { bodyOf, draftOf, KINDS, ownNight, PACES, type Draft } from './choice.js';

/** What, where and when; sent as a whole. */
export function AlertForm({ alerts }: { readonly alerts: MemberAlerts }) {
  const [draft, setDraft] = useState(() => draftOf(alerts));
  const choose = useChange('chooseAlerts', 'members');
  const test = useChange('testAlerts', 'members');
  const change = (changed: Partial<Draft>) => {
    choose.reset();
    setDraft((before) => ({ ...before, ...changed }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose.mutate({ body: bodyOf(draft) }, { onSuccess: (saved) => setDraft(draftOf(saved)) });
  };
  const error = choose.error ?? test.error;
  return (
    <form className="stack" onSubmit={submit}>
      <Kinds draft={draft} onChange={change} />
      <Channels draft={draft} offersMail={alerts.offers_mail} onChange={(channels) => change({ channels })} />
      <When draft={draft} onChange={change} />
      {error && <Problem error={error} />}
      <div className="row">
        <button type="submit" className="main" disabled={choose.isPending}>
          Save alerts
        </button>
        <button
          type="button"
          disabled={alerts.channels.length === 0 || test.isPending}
          title={alerts.channels.length === 0 ? 'Save a channel first' : undefined}
          onClick={() => test.mutate({})}
        >
          Send a test
        </button>
        {choose.isSuccess && <span role="status">Saved</span>}
      </div>
    </form>
  );
}

interface Part {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

function Kinds({ draft: { kinds }, onChange }: Part) {
  const toggle = (kind: Draft['kinds'][number]) => {
    const next = kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind];
    onChange({ kinds: next as Draft['kinds'] });
  };
  return (
    <fieldset>
      <legend>What</legend>
      {KINDS.map(([kind, label]) => (
        <div key={kind}>
          <label>
            <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
            {label}
          </label>
        </div>
      ))}
    </fieldset>
  );
}

function When({ draft: { pace, when_over, quiet }, onChange }: Part) {
  return (
    <fieldset className="stack">
      <legend>When</legend>
      <label className="field">
        Messages
        <select value={pace} onChange={(event) => onChange({ pace: event.target.value as Draft['pace'] })}>
          {PACES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={when_over}
          onChange={(event) => onChange({ when_over: event.target.checked })}
        />
        Also when it is over
      </label>
      <label>
        <input
          type="checkbox"
          checked={quiet !== undefined}
          onChange={(event) => onChange({ quiet: event.target.checked ? ownNight() : undefined })}
        />
        Quiet hours
      </label>
      {quiet && <Quiet quiet={quiet} onChange={onChange} />}
    </fieldset>
  );
}

function Quiet({
  quiet,
  onChange,
}: { readonly quiet: NonNullable<Draft['quiet']> } & Pick<Part, 'onChange'>) {
  const field = (name: keyof typeof quiet, label: string, type: string) => (
    <label className="field">
      {label}
      <input
        type={type}
        required
        value={quiet[name]}
        onChange={(event) => onChange({ quiet: { ...quiet, [name]: event.target.value } })}
      />
    </label>
  );
  return (
    <div className="row">
      {field('from', 'From', 'time')}
      {field('until', 'Until', 'time')}
      {field('time_zone', 'Time zone', 'text')}
    </div>
  );
}
