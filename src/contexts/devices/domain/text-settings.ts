/** How a printer takes text. The service hands it to the Agent as it is (docs/decisions/097-text-for-printers.md). */

/** The Agent feature without which a session gets no settings for text. */
export const TEXT_FEATURE = 'text/1';

export const TEXT_ENCODINGS = [
  'utf-8',
  'windows-1252',
  'cp437',
  'cp850',
  'cp852',
  'cp858',
  'cp866',
  'iso8859-15',
  'shift_jis',
  'gb18030',
] as const;
export const LINE_ENDINGS = ['lf', 'crlf', 'cr'] as const;
export const TEXT_MODES = ['raw', 'pages'] as const;

/** In the words of a lease; an absent one leaves the text, or the queue, as it is. */
export interface TextSettings {
  readonly encoding?: (typeof TEXT_ENCODINGS)[number];
  readonly line_ending?: (typeof LINE_ENDINGS)[number];
  readonly mode?: (typeof TEXT_MODES)[number];
  /** Given for printers that understand ESC/POS. */
  readonly cut_after?: boolean;
}

/** Null = no longer set. */
export type TextChanges = { readonly [K in keyof TextSettings]: TextSettings[K] | null };

/** Null without any setting; `before` itself if nothing changes. */
export function textAfter(before: TextSettings | null, changes: TextChanges): TextSettings | null {
  const fields = ['encoding', 'line_ending', 'mode', 'cut_after'] as const;
  const after = fields.map((name) => [name, changes[name] === undefined ? before?.[name] : changes[name]]);
  if (after.every(([name, value]) => (value ?? undefined) === before?.[name as keyof TextSettings]))
    return before;
  const set = after.filter(([, value]) => value !== undefined && value !== null);
  return set.length === 0 ? null : (Object.fromEntries(set) as TextSettings);
}
