import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useSessionState } from '../api/session.js';
import { LinkNotices } from './link-notices.js';

interface FrameProps {
  readonly name: string | undefined;
  readonly pages: readonly (readonly [path: string, name: string])[];
  readonly children: ReactNode;
}

/** The navigation beside, or on small screens below, the page. */
export function Frame({ name, pages, children }: FrameProps) {
  const { signOut } = useSessionState();
  const [location] = useLocation();
  const isCurrent = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  return (
    <div className="frame">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <nav className="navigation" aria-label="Pages">
        <div className="account">
          <bdi>{name}</bdi>
        </div>
        <ul>
          {pages.map(([path, title]) => (
            <li key={path}>
              <Link href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
          <li>
            <button type="button" className="plain" onClick={() => void signOut()}>
              Sign out
            </button>
          </li>
        </ul>
      </nav>
      <main id="main" tabIndex={-1} className="stack">
        <LinkNotices />
        {children}
      </main>
    </div>
  );
}

/** The address bar keeps the page: `#main` is no address of ours. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
