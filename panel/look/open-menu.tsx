import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { Link } from 'wouter';
import type { MenuAction, MenuEntry } from './menu-entry.js';

interface OpenMenuProps {
  readonly entries: readonly MenuEntry[];
  /** Gets the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** An open menu below its button. */
export function OpenMenu({ entries, button, onClose }: OpenMenuProps) {
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(isOpen, { event }) => {
        // A press on the button is left to the button, which would open the menu again.
        if (!isOpen && !button.current?.contains(event.target as Node | null)) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner className="floating" anchor={button} align="end" sideOffset={4}>
          <Menu.Popup className="menu" finalFocus={button}>
            {entries.map((entry, n) => (
              <Entry key={n} entry={entry} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  if (entry === 'line') return <hr />;
  if (!('href' in entry)) return <Action action={entry} />;
  return (
    <Menu.LinkItem closeOnClick render={<Link href={entry.href} />}>
      {entry.icon}
      {entry.label}
    </Menu.LinkItem>
  );
}

function Action({ action }: { readonly action: MenuAction }) {
  const { label, icon, onSelect, missingRole, why, danger, isChosen } = action;
  const reason = missingRole ? `needs the role ${missingRole}` : why;
  return (
    <Menu.Item
      className={danger ? 'danger' : undefined}
      disabled={reason !== undefined}
      onClick={onSelect}
      {...(isChosen !== undefined && { role: 'menuitemradio', 'aria-checked': isChosen })}
    >
      {icon}
      <span>
        {label}
        {reason && <small>{reason}</small>}
      </span>
      {isChosen && <Check className="chosen" aria-hidden="true" />}
    </Menu.Item>
  );
}
