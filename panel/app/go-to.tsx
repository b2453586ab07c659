import { Printer, Search } from 'lucide-react';
import { useEffect, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useRead } from '../api/reads.js';
import { useSession } from '../api/session.js';
import { pageWith } from '../jobs/filters.js';
import { Dialog } from '../look/dialogs.js';
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

const MAX_PRINTERS = 6;

const pageOf = ({ printer_id }: { readonly printer_id: string }) => `/devices/printers/${printer_id}`;

/** The printers of the account whose name has this in it. */
function usePrinters(typed: string) {
  const isOn = useSession().account !== null && typed !== '';
  const all = useRead('printers', 'listPrinters', { query: { limit: 100, offset: 0 } }, { enabled: isOn });
  if (!isOn) return [];
  const found = all.data?.items.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  return found?.slice(0, MAX_PRINTERS) ?? [];
}

/** The pages that begin with what is typed, printers of that name, then the search for it; Enter opens the first. */
function Choice({ pages, search, onClose }: GoToProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const typed = text.trim();
  const fitting = pages.filter(({ title }) => title.toLowerCase().startsWith(typed.toLowerCase()));
  const printers = usePrinters(typed);
  const found = pageWith({ q: typed }, search.path);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const [printer] = printers;
    navigate(fitting[0]?.path ?? (printer ? pageOf(printer) : found));
    onClose();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form className="stack" role="search" onSubmit={open}>
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
          {fitting.map(({ path, title, icon: Icon }) => (
            <li key={path}>
              <Link href={path} onClick={onClose}>
                <Icon aria-hidden="true" />
                {title}
              </Link>
            </li>
          ))}
          {printers.map((printer) => (
            <li key={printer.printer_id}>
              <Link href={pageOf(printer)} onClick={onClose}>
                <Printer aria-hidden="true" />
                <span>
                  <bdi>{printer.name}</bdi>{' '}
                  <span className="quiet">
                    on <bdi>{printer.computer_name}</bdi>
                  </span>
                </span>
              </Link>
            </li>
          ))}
          {typed && (
            <li>
              <Link href={found} onClick={onClose}>
                <Search aria-hidden="true" />
                <span>
                  Search for “<bdi>{typed}</bdi>”
                </span>
              </Link>
            </li>
          )}
        </ul>
      </form>
    </Dialog>
  );
}
