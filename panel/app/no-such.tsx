import { Link } from 'wouter';
import { CallError } from '../api/client.js';
import { Empty } from '../look/parts.js';
import { Page } from './page.js';

/** The answer that nothing has the id of this address, or that an id does not look like this. */
export const isNotFound = (error: Error | null) =>
  error instanceof CallError && [400, 404].includes(error.status);

interface NoSuchProps {
  /** As in "job". */
  readonly what: string;
  /** The list that may have it, and its name. */
  readonly href: string;
  readonly list: string;
}

/** In place of the page of something that does not exist, or belongs to another account. */
export function NoSuch({ what, href, list }: NoSuchProps) {
  return (
    <Page title={`No such ${what}`}>
      <Empty text={`This address leads to no ${what}: it may be cut off, or of another account.`}>
        <Link href={href} className="button">
          {list}
        </Link>
      </Empty>
    </Page>
  );
}
