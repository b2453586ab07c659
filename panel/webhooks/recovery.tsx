import { useState, type FormEvent } from 'react';
import type { RecoverWebhookBody, Webhook } from '../../sdk/src/generated/integration.js';
import { CallError } from '../api/client.js';
import { useChange, useRead } from '../api/reads.js';
import { Choices } from '../keys/choices.js';
import { Dialog } from '../look/dialogs.js';
import { Problem, Time } from '../look/parts.js';
import { minuteOf } from '../look/times.js';
import { EVENT_SENTENCES, type EventType } from './event-groups.js';

interface DialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** A recovery begins so much before the pause, because the clocks of instances may differ. */
const CLOCKS_MS = 10_000;
const DAY_MS = 86_400_000;

/** An account has one count at a time: that of a dialog that was closed goes on for ten seconds at most. */
const COUNT_AGAIN = {
  retry: (failures: number, error: Error) => failures < 6 && codeOf(error) === 'SVC_RECOVERY_RUNNING',
  retryDelay: 2_000,
} as const;

/** Resumes a paused webhook; says first how much it missed. */
export function ResumeWebhook({ webhook, onClose }: DialogProps) {
  // As it was when the dialog opened: resumed, it has no pause to count from.
  const [{ webhook_id, updated_at, paused_at = updated_at, recovery }] = useState(webhook);
  const isRecovering = recovery?.status === 'running';
  const since = new Date(Date.parse(paused_at) - CLOCKS_MS).toISOString();
  const counting = { body: { webhook_id, since, dry_run: true } };
  const missed = useRead('missed', 'recoverWebhook', counting, {
    enabled: !isRecovering,
    gcTime: 0,
    ...COUNT_AGAIN,
  });
  const resume = useChange('updateWebhook', 'webhooks', 'deliveries', 'overview');
  const go = (recover: boolean) =>
    resume.mutate({ body: { webhook_id, status: 'active', recover } }, { onSuccess: onClose });
  const missedNothing = missed.data?.events === 0;
  const mayRecover = !isRecovering && !missedNothing;
  return (
    <Dialog title="Resume the webhook" onClose={onClose} stays={resume.isPending}>
      <p>
        It has been paused since <Time at={paused_at} exact />.{' '}
        {isRecovering && (
          <>
            The recovery that waits since then goes on; events since then may not be in it. When it has
            finished, “Recover…” delivers them.
          </>
        )}
      </p>
      {!isRecovering && (
        <Missed events={missed.data?.events} error={missed.error} before="Counting what it missed…" />
      )}
      {resume.error && <Problem error={resume.error} />}
      <div className="row">
        {mayRecover && (
          <button
            type="button"
            className="main"
            disabled={missed.isPending || resume.isPending}
            onClick={() => go(true)}
          >
            Resume and deliver what was missed
          </button>
        )}
        <button
          type="button"
          className={mayRecover ? '' : 'main'}
          disabled={resume.isPending}
          // More may have happened since it was counted.
          onClick={() => go(missedNothing)}
        >
          {mayRecover ? 'Resume only' : 'Resume'}
        </button>
        <button type="button" disabled={resume.isPending} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

interface RecoverProps extends DialogProps {
  /** When the last pause began. */
  readonly pausedAt: string | undefined;
}

/** Delivers what an active webhook missed; the number is counted before it can be confirmed. */
export function RecoverWebhook({ webhook, pausedAt, onClose }: RecoverProps) {
  const own = webhook.event_types.filter((type): type is EventType => type !== 'webhook.test');
  const [chosen, setChosen] = useState<readonly string[]>(own);
  /** What was counted; undefined again after a change of the form. */
  const [counted, setCounted] = useState<RecoverWebhookBody>();
  const count = useChange('recoverWebhook');
  const start = useChange('recoverWebhook', 'webhooks', 'deliveries', 'overview');
  /** A button that is disabled then would lose the focus. */
  const isBusy = count.isPending || start.isPending;
  const forget = () => {
    setCounted(undefined);
    count.reset();
    start.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const time = (name: string) => new Date(String(form.get(name))).toISOString();
    const body = {
      webhook_id: webhook.webhook_id,
      since: time('since'),
      ...(form.get('until') && { until: time('until') }),
      ...(chosen.length < own.length && { event_types: chosen as EventType[] }),
      include_delivered: form.get('include_delivered') === 'on',
    };
    forget();
    const isKnown = () => setCounted(body);
    count.mutate(
      { body: { ...body, dry_run: true } },
      { onSuccess: isKnown, onError: (error) => isTooMany(error) && isKnown() },
    );
  };
  const { events } = count.data ?? {};
  return (
    <Dialog title="Recover missed events" onClose={onClose} stays={isBusy}>
      <form className="stack" onSubmit={submit} onChange={forget}>
        <p>
          What was not delivered in this time is sent now, in the background, under the event ids of before.
        </p>
        <Interval since={[pausedAt, webhook.failing_since].sort()[0]} />
        <EventTypes own={own} chosen={chosen} onChange={setChosen} />
        <label>
          <input type="checkbox" name="include_delivered" /> Also what was delivered
        </label>
        <Missed
          events={events}
          error={count.error}
          before={count.isPending ? 'Counting…' : 'Not counted yet.'}
        />
        {start.error && <Problem error={start.error} />}
        <div className="row">
          <button type="submit" disabled={chosen.length === 0} aria-disabled={isBusy}>
            Count
          </button>
          <button
            type="button"
            className="main"
            disabled={!counted || events === 0}
            aria-disabled={isBusy}
            onClick={() => !isBusy && counted && start.mutate({ body: counted }, { onSuccess: onClose })}
          >
            {counted && events ? `Deliver ${eventsOf(events)}` : 'Deliver'}
          </button>
          <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && onClose()}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface EventTypesProps {
  readonly own: readonly EventType[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function EventTypes({ own, chosen, onChange }: EventTypesProps) {
  return (
    <details>
      <summary>
        {chosen.length === own.length
          ? 'All its event types'
          : `${chosen.length} of ${own.length} event types`}
      </summary>
      <fieldset className="bare" aria-label="Event types">
        <Choices values={own} sentences={EVENT_SENTENCES} chosen={chosen} onChange={onChange} />
      </fieldset>
    </details>
  );
}

function Interval({ since }: { readonly since: string | undefined }) {
  const [begin] = useState(() => minuteOf(since ? Date.parse(since) - CLOCKS_MS : Date.now() - DAY_MS));
  return (
    <div className="filters">
      <label className="field">
        Since
        <input name="since" type="datetime-local" required defaultValue={begin} />
      </label>
      <label className="field">
        Until (empty: now)
        <input name="until" type="datetime-local" />
      </label>
    </div>
  );
}

interface MissedProps {
  readonly events: number | undefined;
  readonly error: Error | null;
  /** Said until they are counted. */
  readonly before: string;
}

function Missed({ events, error, before }: MissedProps) {
  if (isTooMany(error)) return <p role="status">More than can be counted in ten seconds.</p>;
  if (error) return <Problem error={error} />;
  const known = events === 0 ? 'Nothing to deliver.' : events && `${eventsOf(events)} to deliver.`;
  return <p role="status">{known ?? before}</p>;
}

const codeOf = (error: Error | null) => (error instanceof CallError ? error.code : undefined);

const isTooMany = (error: Error | null) => codeOf(error) === 'SVC_RECOVERY_TOO_LARGE';

const eventsOf = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;

/** How far the newest recovery is. */
export function Recovery({ recovery }: { readonly recovery: NonNullable<Webhook['recovery']> }) {
  const { status, since, until, events, recovered, finished_at } = recovery;
  const interval = (
    <>
      from <Time at={since} exact /> to <Time at={until} exact />
    </>
  );
  if (status === 'finished')
    return (
      <>
        {eventsOf(recovered)} {interval}, finished <Time at={finished_at} />
      </>
    );
  return (
    <>
      <progress aria-label="Recovery" max={events} value={events === undefined ? undefined : recovered} />{' '}
      {recovered.toLocaleString('en')} {events === undefined ? 'events' : `of ${eventsOf(events)}`} {interval}
    </>
  );
}
