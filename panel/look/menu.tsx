import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useRef, useState, type ButtonHTMLAttributes, type ReactNode } from 'react';

export interface MenuAction {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  /** The role that may, if this person may not. */
  readonly missingRole?: string | undefined;
  /** Why nobody may now. */
  readonly why?: string | undefined;
  /** Cannot be taken back. */
  readonly danger?: boolean;
  /** One of several of which one holds; marked if it does. */
  readonly isChosen?: boolean;
}

export interface MenuLink {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  /** A page of the panel. */
  readonly href: string;
}

/** `line` separates what follows. */
export type MenuEntry = MenuAction | MenuLink | 'line';

/** Read when the first menu opens: half of the first page would be menus. */
const OpenMenu = lazy(() => import('./open-menu.js'));

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
      {isOpen && (
        <Suspense>
          <OpenMenu entries={entries} button={button} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
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
