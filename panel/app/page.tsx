import { useEffect, useRef, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Text that somebody else wrote, after the title. */
  readonly subject?: string | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its heading gets the focus when a person arrives. */
export function Page({ title, subject, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = [subject, title, 'Remote Printing Service'].filter(Boolean).join(' · ');
  }, [title, subject]);
  return (
    <>
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {subject ? (
            <>
              <span className="eyebrow">{title}</span> <bdi>{subject}</bdi>
            </>
          ) : (
            title
          )}
        </h1>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}
