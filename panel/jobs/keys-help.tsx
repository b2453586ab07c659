import { Fragment } from 'react';
import { Dialog } from '../look/dialogs.js';

const KEYS = [
  ['/', 'find jobs'],
  ['j', 'go to the next job'],
  ['k', 'go to the job before'],
  ['Enter', 'open this job'],
  ['x', 'choose this job, or leave it'],
  ['?', 'show these keys'],
] as const;

interface KeysHelpProps {
  readonly areOn: boolean;
  readonly turn: (on: boolean) => void;
  readonly onClose: () => void;
}

/** Single letters disturb people who dictate, so they can be turned off (WCAG 2.1.4). */
export function KeysHelp({ areOn, turn, onClose }: KeysHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="facts">
        {KEYS.map(([key, does]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={areOn} onChange={(event) => turn(event.target.checked)} />
        These keys are on
      </label>
      <div className="row">
        <button type="button" className="main" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
