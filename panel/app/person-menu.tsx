import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useSession, useSessionState } from '../api/session.js';
import type { MenuEntry } from '../look/menu-entry.js';
import { MenuButton } from '../look/menu.js';
import { useChooseTheme } from './theme.js';

const THEMES = [
  ['system', 'Colours of the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

/** Who is signed in; the menu of a member chooses the colours, too. */
export function PersonMenu() {
  const { kind, display_name, sign_in_name, role, theme } = useSession();
  const { signOut } = useSessionState();
  const choose = useChooseTheme();
  const isMember = kind === 'member';
  const own: readonly MenuEntry[] = [
    { label: <bdi>{sign_in_name}</bdi>, icon: <UserRound aria-hidden="true" />, href: '/account/sign-in' },
    'line',
    ...THEMES.map(([value, label, Icon]) => ({
      ...{ label, icon: <Icon aria-hidden="true" />, isChosen: value === theme },
      onSelect: () => choose(value),
    })),
    'line',
  ];
  const entries: readonly MenuEntry[] = [
    ...(isMember ? own : []),
    { label: 'Sign out', icon: <LogOut aria-hidden="true" />, onSelect: () => void signOut() },
  ];
  return (
    <MenuButton className="person" entries={entries}>
      <span className="initial" aria-hidden="true">
        {[...display_name][0]?.toUpperCase()}
      </span>
      <span className="who">
        <span className="hidden">Menu of </span>
        <bdi>{display_name}</bdi>
        <small>{isMember ? role : 'operator'}</small>
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </MenuButton>
  );
}
