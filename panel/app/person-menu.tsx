import { Menu } from '@base-ui/react/menu';
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { Link } from 'wouter';
import { useSession, useSessionState } from '../api/session.js';
import { MenuPopup } from '../look/menu.js';
import { useTheme, type Theme } from './theme.js';

const THEMES = [
  ['system', 'Like the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

/** Who is signed in; the menu chooses the colours and signs out. */
export function PersonMenu() {
  const session = useSession();
  const { signOut } = useSessionState();
  const [theme, setTheme] = useTheme();
  const isMember = session.kind === 'member';
  return (
    <MenuPopup
      trigger={
        <button type="button" className="person" aria-label={`Menu of ${session.display_name}`}>
          <span className="initial" aria-hidden="true">
            {[...session.display_name][0]?.toUpperCase()}
          </span>
          <span className="who">
            <bdi>{session.display_name}</bdi>
            <small>{isMember ? session.role : 'operator'}</small>
          </span>
          <ChevronsUpDown aria-hidden="true" />
        </button>
      }
    >
      {isMember && (
        <>
          <Menu.LinkItem closeOnClick render={<Link href="/account" />}>
            <UserRound aria-hidden="true" />
            <bdi>{session.sign_in_name}</bdi>
          </Menu.LinkItem>
          <hr />
        </>
      )}
      <Menu.RadioGroup value={theme} onValueChange={(chosen: Theme) => setTheme(chosen)} aria-label="Colours">
        {THEMES.map(([value, word, Icon]) => (
          <Menu.RadioItem key={value} value={value}>
            <Icon aria-hidden="true" />
            {word}
            <Menu.RadioItemIndicator className="chosen">
              <Check aria-hidden="true" />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <hr />
      <Menu.Item onClick={() => void signOut()}>
        <LogOut aria-hidden="true" />
        Sign out
      </Menu.Item>
    </MenuPopup>
  );
}
