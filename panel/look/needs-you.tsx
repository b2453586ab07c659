import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Time } from './parts.js';

interface NeedsYouProps {
  readonly attention: readonly {
    readonly key: string;
    readonly says: ReactNode;
    readonly since?: string | null;
    /** Page about it. */
    readonly link?: string;
  }[];
}

/** Sentences by what they are about; a service that was updated may know a kind that this page does not. */
export function say(sentences: object, kind: string, count: number): string {
  const says = sentences as Readonly<Partial<Record<string, (count: number) => string>>>;
  return says[kind]?.(count) ?? `${kind.replaceAll('_', ' ')}: ${count}`;
}

/** What a person should look at. */
export function NeedsYou({ attention }: NeedsYouProps) {
  return (
    <section className="box stack" aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      {attention.length === 0 ? (
        <p className="quiet">Nothing needs you now.</p>
      ) : (
        <ul className="attention">
          {attention.map(({ key, says, since, link }) => (
            <li key={key}>
              <TriangleAlert aria-hidden="true" />
              <span>
                {link === undefined ? says : <Link href={link}>{says}</Link>}
                {since && (
                  <span className="quiet">
                    {' · '}
                    <Time at={since} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
