import { useEffect } from 'react';

/**
 * Keys of a page, by their name (`j`, `/`). They are not taken from a person who types, from an open dialog or menu,
 * or from the browser (Ctrl, Alt, Meta).
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.altKey || event.metaKey || isTaken(event.target)) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

const isTaken = (target: EventTarget | null) =>
  document.querySelector('dialog[open], [role=menu]') !== null ||
  (target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null);
