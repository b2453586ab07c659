import type { EvidenceStatus } from '../../sdk/src/generated/panel.js';
import { addressOf } from '../api/client.js';
import { RECENT, useRead } from '../api/reads.js';
import { Read, Status, Time } from '../look/parts.js';
import { ExportProof } from './export-proof.js';

/** The service serves its guides beside the panel. */
const GUIDE = '../docs/evidence.md';

const number = new Intl.NumberFormat('en');

/** What an auditor needs of the account. */
export function Evidence() {
  const log = useRead('evidence', 'getEvidenceStatus', {}, RECENT);
  return (
    <>
      <p>
        An auditor can check that no stored event of this account was changed, without trusting the service or
        its operator: <a href={GUIDE}>the guide</a>.
      </p>
      <Read of={log}>{(status) => <Log {...status} />}</Read>
      {/* Together with the log, so that it does not move. */}
      {!log.isPending && <Keep />}
    </>
  );
}

function Log({ checkpoint_at, events, events_behind, halted }: EvidenceStatus) {
  return (
    <section className="box stack" aria-labelledby="log">
      <h2 id="log">The log</h2>
      {halted && <Status tone="failed" word="halted: ask the operator of the service" />}
      <dl className="facts">
        <dt>Newest checkpoint</dt>
        <dd>{checkpoint_at ? <Time at={checkpoint_at} exact /> : 'None yet'}</dd>
        <dt>Covers</dt>
        <dd>{number.format(events)} events of the service</dd>
        <dt>Logged since</dt>
        <dd>{events_behind === 0 ? 'No event' : `${number.format(events_behind)} events`}</dd>
      </dl>
      {checkpoint_at && !halted && (
        <>
          <div className="row">
            <ExportProof of="account" />
          </div>
          <p className="quiet">
            The file has all events of the account that the checkpoint covers. The proof of one job is on the
            page of the job, below its stored events.
          </p>
        </>
      )}
    </section>
  );
}

/** Without these outside of the house, the operator could write everything anew. */
function Keep() {
  return (
    <section className="stack" aria-labelledby="keep">
      <h2 id="keep">What an auditor keeps</h2>
      <ul>
        <li>
          <Note path="log/vkey">The key of the log</Note>, once, at the beginning.
        </li>
        <li>
          <Note path="log/checkpoint">A checkpoint</Note>, every night, with the time at which it came.
        </li>
        <li>
          <Note path="head">The head of the account</Note>, which says how many events it has and which is the
          last one.
        </li>
      </ul>
      <p>
        Keep them where the operator of the service cannot change them. A program gets them with an API key of
        the scope <code>evidence:read</code>.
      </p>
    </section>
  );
}

const Note = ({ path, children }: { readonly path: string; readonly children: string }) => (
  <a href={addressOf(`/evidence/${path}`)} download>
    {children}
  </a>
);
