import { useEffect } from 'react';
import { useChange } from '../api/reads.js';
import { useSessionState } from '../api/session.js';
import type { PanelSession } from '../../sdk/src/generated/panel.js';

export type Theme = PanelSession['theme'];

function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Shows the pages in the colours that the member has chosen, else in those of the system. */
export function useTheme(): void {
  const { session } = useSessionState();
  const theme = session?.theme ?? 'system';
  useEffect(() => applyTheme(theme), [theme]);
}

/** A function that chooses the colours, at once and for the next time. */
export function useChooseTheme(): (theme: Theme) => void {
  const { changed } = useSessionState();
  const choose = useChange('chooseTheme');
  return (theme) => {
    applyTheme(theme);
    choose.mutate({ body: { theme } }, { onSettled: changed });
  };
}
