import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { lazy } from '../api/lazy.js';

const CellTooltip = lazy(async () => (await import('./cell-tooltip.js')).CellTooltip);

interface Cut {
  readonly element: Element;
  readonly text: string;
}

/** The cell around a target, if part of its text has no room. */
function cutOf(target: EventTarget): Cut | undefined {
  const element = (target as Element).closest('th, td');
  const text = element?.querySelector('.cell') ?? element;
  if (!element || !text || text.scrollWidth <= text.clientWidth) return undefined;
  return { element, text: text.textContent };
}

/** One tooltip for all cells within: the whole text of a cell that is cut off, under the pointer or the focus. */
export function WholeText({ children }: { readonly children: ReactNode }) {
  const [cut, setCut] = useState<Cut>();
  const show = ({ target }: SyntheticEvent) => {
    const next = cutOf(target);
    if (next?.element !== cut?.element) setCut(next);
  };
  const hide = () => setCut(undefined);
  return (
    <div onMouseOver={show} onMouseLeave={hide} onFocus={show} onBlur={hide}>
      {children}
      {cut && <CellTooltip cell={cut.element} text={cut.text} onClose={hide} />}
    </div>
  );
}
