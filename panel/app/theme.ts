import { useState } from 'react';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Holds `light` or `dark`; absent, the system decides. Nothing else is stored (record 098). */
const KEY = 'svc-panel-theme';

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

/** Shows the pages in the chosen colours. */
export function applyTheme(theme: Theme = stored()): void {
  document.documentElement.dataset['theme'] = theme;
}

/** The chosen colours, and a function that chooses others. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(stored);
  const choose = (next: Theme) => {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
    applyTheme(next);
    setTheme(next);
  };
  return [theme, choose];
}
