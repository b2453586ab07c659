import { Printer, Search } from 'lucide-react';
import { useEffect, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useRead } from '../api/reads.js';
import { useSession } from '../api/session.js';
import { Dialog } from '../look/dialogs.js';
import { destinations, type Destination } from './destinations.js';
import type { NavigationPage } from './pages.js';

export interface GoToProps {
  readonly pages: readonly NavigationPage[];
  /** The page that searches, and what it finds. */
  readonly search: { readonly path: string; readonly finds: string };
}

/** Opens the search or another page from every page, by its button or Ctrl+K. */
export function GoTo(props: GoToProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isMine = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isMine || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        className="go-to"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
      >
        <Search aria-hidden="true" />
        <span>Go to…</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen && <Choice {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** The printers of the account, read when the dialog opens. */
function usePrinters() {
  const isOn = useSession().account !== null;
  const query = { limit: 100, offset: 0 };
  const { data, isLoading, refetch } = useRead('printers', 'listPrinters', { query }, { enabled: isOn });
  const read = async () => (isLoading ? await refetch({ cancelRefetch: false }) : { data }).data?.items ?? [];
  return { known: data?.items ?? [], read };
}

/** Enter opens the first that is listed. */
function Choice({ pages, search, onClose }: GoToProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const typed = text.trim();
  const printers = usePrinters();
  const open = async () => {
    const [first] = destinations(typed, pages, await printers.read(), search.path);
    if (first) navigate(first.path);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void open();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form className="stack" role="search" onSubmit={submit}>
        <label className="field">
          A page, or the beginning of {search.finds}
          <input
            type="search"
            value={text}
            maxLength={160}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <ul className="go-to-list" aria-label="Enter opens the first">
          {destinations(typed, pages, printers.known, search.path).map((one) => (
            <li key={one.path}>
              <Link href={one.path} onClick={onClose}>
                <Named destination={one} typed={typed} />
              </Link>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

function Named({ destination, typed }: { readonly destination: Destination; readonly typed: string }) {
  if (destination.kind === 'page') {
    const { title, icon: Icon } = destination.page;
    return (
      <>
        <Icon aria-hidden="true" />
        {title}
      </>
    );
  }
  if (destination.kind === 'search')
    return (
      <>
        <Search aria-hidden="true" />
        <span>
          Search for “<bdi>{typed}</bdi>”
        </span>
      </>
    );
  const { name, computer_name } = destination.printer;
  return (
    <>
      <Printer aria-hidden="true" />
      <span>
        <bdi>{name}</bdi>{' '}
        <span className="quiet">
          on <bdi>{computer_name}</bdi>
        </span>
      </span>
    </>
  );
}
