import { useEffect, useRef, useState } from 'react';
import { duration } from '../look/times.js';
import { useConnection } from './connection.js';
import './banner.css';

/** The one place that says that the service does not answer, or that the page is not live, and how old it is. */
export function Banner() {
  const { answeredAt, lostAt, notLiveSince } = useConnection();
  const isShown = lostAt !== undefined || notLiveSince !== undefined;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isShown) return undefined;
    // Above dialogs too, those that open later included: the form in one keeps its text, and its person must know.
    const rise = () => {
      if (ref.current?.matches(':popover-open')) ref.current.hidePopover();
      ref.current?.showPopover();
    };
    const turned = ({ target }: Event) => {
      if (target instanceof HTMLDialogElement && target.open) rise();
    };
    rise();
    document.addEventListener('toggle', turned, true);
    document.documentElement.toggleAttribute('data-banner', true);
    return () => {
      document.removeEventListener('toggle', turned, true);
      document.documentElement.toggleAttribute('data-banner', false);
    };
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div ref={ref} popover="manual" className="banner">
      {lostAt === undefined ? (
        <p role="status">Not live since {clock(notLiveSince!)}. The page asks every 15 seconds.</p>
      ) : (
        <>
          <p role="alert">The service has not answered since {clock(lostAt)}.</p>
          <p>
            <Age at={answeredAt} /> It is tried again every second.
          </p>
        </>
      )}
    </div>
  );
}

const clock = (at: number) => new Date(at).toLocaleTimeString();

function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>Last answer {duration(Math.max(0, now - at))} ago.</>;
}
