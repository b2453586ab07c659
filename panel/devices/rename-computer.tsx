import type { FormEvent } from 'react';
import { useChange } from '../api/reads.js';
import { Dialog, FormButtons } from '../look/dialogs.js';

interface RenameComputerProps {
  readonly computerId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Gives a computer a name that its Agent does not take back. */
export function RenameComputer({ computerId, name, onClose }: RenameComputerProps) {
  const rename = useChange('renameComputer', 'computers', 'printers');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const display_name = String(new FormData(event.currentTarget).get('name')).trim();
    rename.mutate({ params: { computer_id: computerId }, body: { display_name } }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Rename the computer" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" maxLength={120} defaultValue={name} />
          <small>Empty: the name that its Agent reports</small>
        </label>
        <FormButtons action="Rename" error={rename.error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
