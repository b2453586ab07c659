import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  Diamond,
  Inbox,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { CallError } from '../api/client.js';
import { isOfProxy } from '../api/connection.js';
import type { Tone } from './job-status.js';
import { age, ago, utc, whole } from './times.js';
import { useTicks } from './use-ticks.js';

/** In place of a value; cards of small screens leave it out with its label. */
export const NoValue = () => <span className="quiet no-value">–</span>;

/** Text that somebody else wrote, in a cell that shows as much of it as has room. */
export function Text({ text }: { readonly text: string | null | undefined }) {
  return text ? <bdi>{text}</bdi> : <NoValue />;
}

/** Text that somebody else wrote: set apart, so that its direction cannot spill over. */
export function Foreign({ text }: { readonly text: string | null | undefined }) {
  const [all, setAll] = useState(false);
  if (!text || text.length <= 160 || all) return <Text text={text} />;
  return (
    <>
      <bdi>{text.slice(0, 140)}…</bdi>{' '}
      <button type="button" className="plain" onClick={() => setAll(true)}>
        Show all
      </button>
    </>
  );
}

/** A time as people say it, or exactly in the zone of this browser; UTC is in the tooltip. */
export function Time({
  at,
  exact = false,
}: {
  readonly at: string | null | undefined;
  readonly exact?: boolean;
}) {
  if (!at) return <NoValue />;
  return (
    <time dateTime={at} title={exact ? utc(at) : `${whole(at)} · ${utc(at)}`}>
      {exact ? whole(at) : <Ago at={at} />}
    </time>
  );
}

/** Goes on by itself, whether the page reads anything or not. */
function Ago({ at }: { readonly at: string }) {
  useTicks();
  return <>{ago(at, Date.now())}</>;
}

/** For how long something has lasted, as in "for 34 min". */
export function Lasting({ since }: { readonly since: string }) {
  useTicks();
  return (
    <time dateTime={since} title={`since ${whole(since)} · ${utc(since)}`}>
      for {age(Math.max(0, Date.now() - Date.parse(since)))}
    </time>
  );
}

const MARKS: Readonly<Record<Tone, LucideIcon>> = {
  done: CircleCheck,
  moving: CircleDashed,
  waiting: Circle,
  decision: Diamond,
  failed: CircleX,
  off: CircleSlash,
};

/** A status is a mark, a word and a colour. */
export function Status({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  const Mark = MARKS[tone];
  return (
    <span className={`status tone-${tone}`}>
      <Mark aria-hidden="true" />
      {word}
    </span>
  );
}

/** Copies a text that is shown beside it. */
export function Copy({ text, name }: { readonly text: string; readonly name: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="plain"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied ? 'Copied' : 'Copy'}
      <span className="hidden"> {name}</span>
    </button>
  );
}

/** What went wrong, with what support needs to find it. */
export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const known = error instanceof CallError ? error : undefined;
  return (
    <div className="box problem stack" role="alert">
      <p>{error.message}</p>
      {known && (
        <p className="quiet">
          {known.code}
          {known.requestId && (
            <>
              {' · request '}
              <code>{known.requestId}</code> <Copy text={known.requestId} name="request id" />
            </>
          )}
        </p>
      )}
      {again && (
        <div>
          <button type="button" onClick={again}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

export interface Reading<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Beside what was read before: not while the service is away, which the banner says. */
export function StaleProblem({
  reading: { error, refetch },
}: {
  readonly reading: Omit<Reading<unknown>, 'data'>;
}) {
  const isAway = error instanceof CallError && (error.status === 0 || isOfProxy(error.status));
  return error && !isAway ? <Problem error={error} again={() => void refetch()} /> : null;
}

/** Shows what was read; before that a space of the final height, after a failure the problem. */
export function Read<T>({
  of,
  loading = <Placeholder />,
  children,
}: {
  readonly of: Reading<T>;
  /** Keeps the place of what is read. */
  readonly loading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = of;
  if (data !== undefined)
    return (
      <>
        <StaleProblem reading={of} />
        {children(data)}
      </>
    );
  if (error) return <Problem error={error} again={() => void refetch()} />;
  return <>{loading}</>;
}

/** Keeps the space of what is being read; says so after a while. */
export function Placeholder() {
  const isLate = useLate();
  return <div className="placeholder quiet">{isLate && <p role="status">Loading…</p>}</div>;
}

const LATE_MS = 150;

function useLate(): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

interface ActionProps {
  readonly children: ReactNode;
  /** The role that may, if this person may not. */
  readonly missingRole?: string | undefined;
  /** Why nobody may now. */
  readonly why?: string | undefined;
  readonly main?: boolean;
  readonly busy?: boolean;
  readonly onClick: () => void;
}

/** A button that stays visible without the right, and says which role has it. */
export function Action({ children, missingRole, why, main, busy, onClick }: ActionProps) {
  const id = useId();
  const reason = missingRole ? `needs the role ${missingRole}` : why;
  return (
    <span className="row">
      <button
        type="button"
        className={main ? 'main' : undefined}
        disabled={reason !== undefined || busy}
        aria-describedby={reason ? id : undefined}
        title={reason}
        onClick={onClick}
      >
        {children}
      </button>
      {reason && (
        <small id={id} className={`quiet action-reason ${missingRole ? 'needs-role' : ''}`}>
          {reason}
        </small>
      )}
    </span>
  );
}

/** A page without content says what to do first. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <Inbox aria-hidden="true" />
      <p>{text}</p>
      {children}
    </div>
  );
}

interface TableProps {
  readonly caption: string;
  /** Headings; an empty one stands for the buttons of a row. */
  readonly columns: readonly string[];
  /** The rows. */
  readonly children: ReactNode;
}

/** A short table of fixed rows; lists use `DataTable`. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column || <span className="hidden">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
