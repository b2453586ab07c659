import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { MenuButton } from '../look/menu.js';
import { FailedPart } from './failed-part.js';
import { GoTo, type GoToProps } from './go-to.js';
import { LinkNotices } from './link-notices.js';
import logo from './logo.svg';
import { PersonMenu } from './person-menu.js';

interface FrameProps extends GoToProps {
  /** The account, or what stands in its place. */
  readonly name: string | undefined;
  readonly children: ReactNode;
}

/** So many pages have a place in the bar of small screens; the others are behind "More". */
const IN_BAR = 4;

/** Account, navigation and person beside the page; on small screens above and below it. */
export function Frame({ name, pages, search, children }: FrameProps) {
  const [path] = useLocation();
  return (
    <div className="frame">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <header className="top">
        <Link href="/" className="account">
          <img src={logo} alt="" width="24" height="24" />
          <bdi>{name}</bdi>
        </Link>
        <GoTo pages={pages} search={search} />
        <PersonMenu />
      </header>
      <Navigation pages={pages} />
      <main id="main" tabIndex={-1} className="stack">
        <LinkNotices />
        <FailedPart path={path}>{children}</FailedPart>
      </main>
    </div>
  );
}

function Navigation({ pages }: Pick<FrameProps, 'pages'>) {
  const [location] = useLocation();
  const isCurrent = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  const more = pages.length > IN_BAR + 1 ? pages.slice(IN_BAR) : [];
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {pages.map((one) => (
          <li key={one.path} className={more.includes(one) ? 'wide-only' : undefined}>
            <Link href={one.path} aria-current={isCurrent(one.path) ? 'page' : undefined}>
              <one.icon aria-hidden="true" />
              {one.title}
            </Link>
          </li>
        ))}
        {more.length > 0 && (
          <li className="narrow-only">
            <MenuButton
              data-current={more.some(({ path }) => isCurrent(path)) || undefined}
              entries={more.map((one) => ({
                label: one.title,
                icon: <one.icon aria-hidden="true" />,
                href: one.path,
              }))}
            >
              <Ellipsis aria-hidden="true" />
              More
            </MenuButton>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** The address bar keeps the page: `#main` is no address of ours. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
