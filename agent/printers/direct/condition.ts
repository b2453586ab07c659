/** Whether a device can print now. */
export interface Condition {
  readonly online: boolean;
  /** In a few words: `out of paper`. */
  readonly trouble?: string;
  /** It has answered a question at the port that takes documents. */
  readonly answers?: boolean;
}

/** The first reasons that apply; a device with one is not online. */
export function conditionOf(reasons: readonly (readonly [applies: boolean, reason: string])[]): Condition {
  const trouble = reasons.filter(([applies]) => applies).map(([, reason]) => reason);
  return trouble.length > 0 ? { online: false, trouble: trouble.join(', ') } : { online: true };
}
