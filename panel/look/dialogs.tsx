import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Copy, Problem } from './parts.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Only its own buttons close it. */
  readonly stays?: boolean;
}

/** A native modal dialog. */
export function Dialog({ title, onClose, children, stays = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  useEffect(() => ref.current!.setAttribute('closedby', stays ? 'none' : 'closerequest'), [stays]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays) onClose();
      }}
    >
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Shows a secret for the only time; it leaves the page with the dialog. */
export function SecretDialog({
  title,
  secret,
  hint,
  onStored,
}: {
  readonly title: string;
  readonly secret: string;
  readonly hint: ReactNode;
  readonly onStored: () => void;
}) {
  return (
    <Dialog title={title} onClose={onStored} stays>
      <p>{hint}</p>
      <pre>{secret}</pre>
      <div className="row">
        <Copy text={secret} name={title} />
        <button type="button" className="main" onClick={onStored}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly link: string;
  readonly onStored: () => void;
}

/** Shows a sign-in link. */
export function LinkDialog({ link, onStored }: LinkDialogProps) {
  return (
    <SecretDialog
      title="The link"
      secret={link}
      hint="It is shown this once and signs in once. Send it to the person over a channel that you trust."
      onStored={onStored}
    />
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  /** What follows. */
  readonly children: ReactNode;
  readonly error: Error | null;
  /** Said while it is being done; the dialog then stays. */
  readonly busy?: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, action, children, error, busy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose} stays={busy !== undefined}>
      <p>{children}</p>
      {error && <Problem error={error} />}
      <div className="row">
        <button type="button" className="main danger" disabled={busy !== undefined} onClick={onConfirm}>
          {busy ?? action}
        </button>
        <button type="button" disabled={busy !== undefined} onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}

interface FailedProps {
  readonly of: { readonly error: Error | null; readonly reset: () => void };
}

/** What went wrong with a change that began in a table, whose cells are too small to say so. */
export function Failed({ of: { error, reset } }: FailedProps) {
  if (!error) return null;
  return (
    <Dialog title="This did not work" onClose={reset}>
      <Problem error={error} />
      <div className="row">
        <button type="button" className="main" onClick={reset}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface FormButtonsProps {
  readonly action: string;
  readonly disabled?: boolean;
  readonly error: Error | null;
  /** Said while it is being done; there is no way out then. */
  readonly busy?: string | undefined;
  readonly onClose: () => void;
}

/** The end of a form in a dialog: what went wrong, and the two ways out. */
export function FormButtons({ action, disabled = false, error, busy, onClose }: FormButtonsProps) {
  return (
    <>
      {error && <Problem error={error} />}
      <div className="row">
        <button type="submit" className="main" disabled={disabled || busy !== undefined}>
          {busy ?? action}
        </button>
        <button type="button" disabled={busy !== undefined} onClick={onClose}>
          Cancel
        </button>
      </div>
    </>
  );
}
