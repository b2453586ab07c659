import { Ellipsis } from 'lucide-react';
import { useRef, useState, type ButtonHTMLAttributes } from 'react';
import { lazy } from '../api/lazy.js';
import type { MenuAction, MenuEntry } from './menu-entry.js';

/** Read when the first menu opens: half of the first page would be menus. */
const OpenMenu = lazy(async () => (await import('./open-menu.js')).OpenMenu);

interface MenuButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'onClick'> {
  readonly entries: readonly MenuEntry[];
}

/** A button with a menu below it. */
export function MenuButton({ entries, children, ...rest }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        {...rest}
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && <OpenMenu entries={entries} button={button} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface ActionMenuProps {
  /** Names the button, as in "Actions for Till 1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
}

/** The actions of a row behind one button. Those without the right stay visible and name the role that has it. */
export function ActionMenu({ label, actions }: ActionMenuProps) {
  return (
    <MenuButton className="icon" aria-label={label} entries={actions}>
      <Ellipsis />
    </MenuButton>
  );
}
