/** Part of a sentence: our words, a time, or text that somebody else wrote. */
export type Part = string | { readonly at: string } | { readonly foreign: string };

export type Sentence = readonly Part[];

export const at = (time: string): Part => ({ at: time });

export const foreign = (text: string): Part => ({ foreign: text });

/** The sentence as plain text, with times as they are stored. */
export function plain(sentence: Sentence): string {
  return sentence
    .map((part) => (typeof part === 'string' ? part : 'at' in part ? part.at : part.foreign))
    .join('');
}
