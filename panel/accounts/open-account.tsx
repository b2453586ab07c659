import { Dialog, FormButtons } from '../look/dialogs.js';
import type { FormEvent } from 'react';
import { useChange } from '../api/reads.js';

export function OpenAccount({ onClose }: { readonly onClose: () => void }) {
  const open = useChange('openAccount', 'accounts');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const slug = String(form.get('slug')).trim();
    const body = { name: String(form.get('name')).trim(), ...(slug !== '' && { slug }) };
    open.mutate({ body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Open an account" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={120} />
        </label>
        <label className="field">
          Slug
          <input name="slug" maxLength={60} spellCheck={false} />
          <small>What follows the @ when people sign in; empty: made up</small>
        </label>
        <FormButtons action="Open" disabled={open.isPending} error={open.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
