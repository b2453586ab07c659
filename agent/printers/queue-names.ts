import { displayable } from '../service/displayable.js';

/** Spoolers show names of documents to people: CUPS takes 255 bytes, Windows 255 characters. */
const MAX_TITLE_BYTES = 120;

/** Name of a document in the queue: its title for people, then the mark by which the Agent finds it again. */
export function queueName({ documentName, title }: { documentName: string; title?: string }): string {
  const bytes = Buffer.from(displayable(title ?? '', MAX_TITLE_BYTES)).subarray(0, MAX_TITLE_BYTES);
  const shown = new TextDecoder().decode(bytes, { stream: true }); // Leaves out half a letter at the end.
  return shown ? `${shown} ${documentName}` : documentName;
}

/** True if a document of the queue has this mark, with or without a title. */
export function bearsMark(name: string, documentName: string): boolean {
  return name === documentName || name.endsWith(` ${documentName}`);
}
