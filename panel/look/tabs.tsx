import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  /** Names the row of tabs. */
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[];
  /** The id of the open tab. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Parts of a page of which one is shown; the page keeps in its address which. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Base.Root className="stack" value={value} onValueChange={(id) => onChange(String(id))}>
      <Base.List className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Base.Tab key={id} value={id}>
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="stack">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
