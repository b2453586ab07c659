import type { JobHistoryEvent } from '../sdk/src/index.js';
const coloured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
const green = paint(32);
const red = paint(31);
const yellow = paint(33);
const cyan = paint(36);

export const say = (text = '') => process.stdout.write(`${text}\n`);

/** Prints a step, e.g. `  account    Demo Bakery  0193…`. */
export const step = (what: string, text: string, detail = '') =>
  say(`  ${cyan(what.padEnd(11))}${text}${detail && `  ${dim(detail)}`}`);

export const good = (text: string) => say(`\n  ${green('✔')} ${text}`);
export const bad = (text: string) => process.stderr.write(`\n  ${red('✘')} ${text}\n`);

/** One line of the timeline; `start` is when the job was created. */
export function moment(event: JobHistoryEvent, start: string): void {
  const ms = Math.max(0, Date.parse(event.created_at) - Date.parse(start));
  const tones: Readonly<Record<string, typeof red>> = { ok: green, recorded: cyan, scheduled: yellow };
  const tone = tones[event.outcome] ?? red;
  const status = event.new_status ? `→ ${event.new_status}` : '';
  const details = Object.entries(event.details ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  say(
    `  ${dim(`+${String(ms).padStart(5)} ms`)}  ${tone('●')} ${event.event_type.padEnd(24)} ${bold(status.padEnd(22))} ${dim(details.join(' '))}`.trimEnd(),
  );
}
