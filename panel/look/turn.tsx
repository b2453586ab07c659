interface TurnProps {
  /** Where the pages begin that were turned so far. */
  readonly cursors: readonly string[];
  readonly next: string | null | undefined;
  readonly onTurn: (cursors: readonly string[]) => void;
}

/** Turns the pages of a list; nothing where one page holds it. */
export function Turn({ cursors, next, onTurn }: TurnProps) {
  if (cursors.length === 0 && !next) return null;
  return (
    <div className="row">
      <button type="button" disabled={cursors.length === 0} onClick={() => onTurn(cursors.slice(0, -1))}>
        Newer
      </button>
      <button type="button" disabled={!next} onClick={() => next && onTurn([...cursors, next])}>
        Older
      </button>
    </div>
  );
}
