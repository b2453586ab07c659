import { Time } from '../look/parts.js';
import type { Sentence } from './sentence.js';

export function SentenceView({ sentence }: { readonly sentence: Sentence }) {
  return (
    <>
      {sentence.map((part, n) =>
        typeof part === 'string' ? (
          part
        ) : 'at' in part ? (
          <Time key={n} at={part.at} exact />
        ) : (
          <bdi key={n}>{part.foreign}</bdi>
        ),
      )}
    </>
  );
}
