import type { FormEvent } from 'react';
import { Link } from 'wouter';
import type { StoredEvent } from '../../sdk/src/generated/operator.js';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import { useFilters } from '../app/address.js';
import { isNotFound } from '../app/no-such.js';
import { Page } from '../app/page.js';
import { LanesView } from '../job/lanes-view.js';
import { Copy, Empty, Problem, Read, Time, type Reading } from '../look/parts.js';
import './stream.css';

/** States of one answer. */
const MAX_STATES = 200;

/** One stream by its name: a job as lanes, others as a list. */
export function StreamPage() {
  const [{ name }, change] = useFilters('/stream', ['name']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ name: String(new FormData(event.currentTarget).get('name')).trim() });
  };
  return (
    <Page title="Stream">
      <form className="filters" onSubmit={submit}>
        <label className="field stream-name">
          Name of the stream
          <input
            name="name"
            key={name}
            defaultValue={name}
            required
            maxLength={130}
            placeholder="As in job-01990000-0000-7000-8000-000000000001"
          />
        </label>
        <button type="submit" className="main">
          Read
        </button>
      </form>
      {name !== '' && <Stream key={name} name={name} />}
    </Page>
  );
}

function Stream({ name }: { readonly name: string }) {
  const stream = useRead('stream', 'readStream', { params: { name }, query: { limit: 1_000 } });
  if (isNotFound(stream.error))
    return (
      <Empty text="No such stream. Find looks for less than a whole name.">
        <Link href="/find" className="button">
          Find
        </Link>
      </Empty>
    );
  return (
    <Read of={stream}>
      {({ items, has_more }) => (
        <>
          {name.startsWith('job-') && <LanesView events={items.map(withActor)} />}
          <p>
            <code>{`rps events stream ${name}`}</code>{' '}
            <Copy text={`rps events stream ${name}`} name="command" />
            {has_more && ' – the first thousand are shown'}
          </p>
          <Events name={name} events={items} />
        </>
      )}
    </Read>
  );
}

interface EventsProps {
  readonly name: string;
  readonly events: readonly StoredEvent[];
}

/** Each event, and beside it the state after it as the service folds it. */
function Events({ name, events }: EventsProps) {
  const query = { limit: MAX_STATES };
  const states = useRead('stream', 'readStreamStates', { params: { name }, query });
  const stateOf = (id: string) => states.data?.items.find(({ event_id }) => event_id === id)?.state;
  return (
    <ol className="events">
      {events.map((event) => (
        <li key={event.event_id}>
          <details>
            <summary>
              {event.revision} {event.type} <Time at={event.recorded_at} />
            </summary>
            <div className="event-and-state">
              <section className="stack">
                <h3>Event</h3>
                <pre tabIndex={0} aria-label={`Event ${event.revision}`}>
                  {JSON.stringify(event, null, 2)}
                </pre>
              </section>
              <section className="stack">
                <h3>State after it</h3>
                <State event={event} state={stateOf(event.event_id)} reading={states} />
              </section>
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

interface StateProps {
  readonly event: StoredEvent;
  readonly state: object | undefined;
  readonly reading: Reading<unknown>;
}

function State({ event, state, reading }: StateProps) {
  if (state)
    return (
      <pre tabIndex={0} aria-label={`State after event ${event.revision}`}>
        {JSON.stringify(state, null, 2)}
      </pre>
    );
  if (reading.error) return <Problem error={reading.error} again={() => void reading.refetch()} />;
  return (
    <p className="quiet">{reading.data ? `Only the first ${MAX_STATES} events have one.` : 'Loading…'}</p>
  );
}

const UUID_BUT_ITS_END = /^[\da-f-]{32}(?=[\da-f]{4}$)/;

/** Operators see the ends of ids of actors: names belong to the account, and the events have the whole ids. */
function withActor(event: StoredEvent): PanelEvent {
  const { actor } = event.metadata as { readonly actor: Omit<PanelEvent['actor'], 'name'> };
  const id = actor.id.replace(UUID_BUT_ITS_END, '…');
  const name = actor.kind === 'process' ? id : `${actor.kind.replace('_', ' ')} ${id}`;
  return { ...event, actor: { ...actor, name } };
}
