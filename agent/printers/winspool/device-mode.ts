/** The fields of DEVMODEW that the Agent uses. One counts only if `fields` has its bit. */
export interface DeviceMode {
  readonly fields: number;
  readonly paperSize: number;
  /** In tenths of a millimetre, as `paperWidth`. */
  readonly paperLength: number;
  readonly paperWidth: number;
  readonly copies: number;
  readonly defaultSource: number;
  /** In dpi; negative for the qualities of drivers that tell none. */
  readonly printQuality: number;
  /** 1 monochrome, 2 colour. */
  readonly color: number;
  /** 1 one side, 2 long edge, 3 short edge. */
  readonly duplex: number;
  readonly yResolution: number;
  readonly collate: number;
  readonly formName: string;
}

/** Bits of `fields` (DM_*). */
const BITS = {
  ...{ paperSize: 0x2, paperLength: 0x4, paperWidth: 0x8, copies: 0x100, defaultSource: 0x200 },
  ...{ printQuality: 0x400, color: 0x800, duplex: 0x1000, yResolution: 0x2000, collate: 0x8000 },
  formName: 0x10000,
} as const;

type Field = keyof typeof BITS;

/** New values; null takes the bit of a field away. */
export type ModeChanges = { readonly [Name in Field]?: DeviceMode[Name] | null };

/** The value of a field, or undefined if the mode has none. */
export function valueIn<Name extends Field>(
  mode: DeviceMode | undefined,
  field: Name,
): DeviceMode[Name] | undefined {
  return mode && mode.fields & BITS[field] ? mode[field] : undefined;
}

export function changedMode(mode: DeviceMode, changes: ModeChanges): DeviceMode {
  let { fields } = mode;
  const values: Record<string, number | string> = {};
  for (const [name, value] of Object.entries(changes)) {
    const bit = BITS[name as Field];
    if (value === null) fields &= ~bit;
    else [fields, values[name]] = [fields | bit, value];
  }
  return { ...mode, ...values, fields };
}

/** Settings of `dmDuplex` from 1 on. */
export const DUPLEX = ['one-sided', 'long-edge', 'short-edge'] as const;
/** DMCOLOR_* */
export const MONOCHROME = 1;
export const COLOR = 2;
