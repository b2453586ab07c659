import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';

const manager = Toast.createToastManager();

/** Says in a corner for five seconds what has been done, as in "12 jobs were cancelled". */
export const say = (title: string) => void manager.add({ title });

/** Where `say` is shown; once, around the pages. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title render={<span />} />
      <Toast.Close className="icon" aria-label="Dismiss" render={<button type="button" />}>
        <X />
      </Toast.Close>
    </Toast.Root>
  ));
}
