import type { ReactNode } from 'react';

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
