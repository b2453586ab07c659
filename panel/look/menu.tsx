import { Menu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  /** The role that may, if this person may not. */
  readonly missingRole?: string | undefined;
  /** Why nobody may now. */
  readonly why?: string | undefined;
  /** Cannot be taken back. */
  readonly danger?: boolean;
}

interface PopupProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Items of Base UI's Menu. */
  readonly children: ReactNode;
}

/** A menu below its button. */
export function MenuPopup({ trigger, children }: PopupProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner className="floating" align="end" sideOffset={4}>
          <Menu.Popup className="menu">{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
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
    <MenuPopup
      trigger={
        <button type="button" className="icon" aria-label={label}>
          <Ellipsis />
        </button>
      }
    >
      {actions.map(({ label: name, icon, onSelect, missingRole, why, danger }) => {
        const reason = missingRole ? `needs the role ${missingRole}` : why;
        return (
          <Menu.Item
            key={name}
            className={danger ? 'danger' : undefined}
            disabled={reason !== undefined}
            onClick={onSelect}
          >
            {icon}
            <span>
              {name}
              {reason && <small>{reason}</small>}
            </span>
          </Menu.Item>
        );
      })}
    </MenuPopup>
  );
}
