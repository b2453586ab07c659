import {
  changedMode,
  type DeviceMode,
  type ModeChanges,
} from '../../../agent/printers/winspool/device-mode.js';
import type { DriverFacts } from '../../../agent/printers/winspool/driver-facts.js';
import type { Sheet } from '../../../agent/printers/pdf/page-layout.js';
import { sheetOf } from '../drawn-sheet.js';

/** An office printer with coarse dots, because drawing takes time. */
export const OFFICE: DriverFacts = {
  papers: [
    { id: 9, name: 'A4', size: [210, 297] },
    { id: 1, name: 'Letter', size: [215.9, 279.4] },
    { id: 11, name: 'A5', size: [148, 210] },
    { id: 300, name: 'Shipping Label', size: [100, 150] },
    { id: 301, name: 'A4 borderless', size: [210, 297] },
  ],
  freeSize: { min: [25, 10], max: [330, 500] },
  trays: [
    { id: 1, name: 'Upper' },
    { id: 4, name: 'Manual Feed' },
  ],
  ...{ duplex: true, color: true, copies: 99, collate: true },
  resolutions: [
    [100, 100],
    [150, 150],
  ],
};

const PLAIN: DeviceMode = {
  ...{ fields: 0, paperSize: 0, paperLength: 0, paperWidth: 0, copies: 1, defaultSource: 1, printQuality: 0 },
  ...{ color: 1, duplex: 1, yResolution: 0, collate: 0, formName: '' },
};

/** A driver that takes over what it can do, and keeps its settings otherwise. */
export class FakeDriver {
  facts = OFFICE;
  marginInches = 0.25;
  /** Fields that it never changes. */
  readonly stubborn = new Set<keyof ModeChanges>();
  settings = changedMode(PLAIN, {
    ...{ paperSize: 9, paperWidth: 2100, paperLength: 2970, copies: 1, defaultSource: 1, printQuality: 100 },
    ...{ yResolution: 100, color: 2, duplex: 1, collate: 0, formName: 'A4' },
  });

  merged(changes: ModeChanges): DeviceMode {
    const isTaken = ([field, value]: [string, unknown]): boolean =>
      !this.stubborn.has(field as keyof ModeChanges) && this.can(field, value as number);
    const taken = Object.fromEntries(Object.entries(changes).filter(isTaken)) as ModeChanges;
    const { paperSize, paperWidth, paperLength, formName, ...others } = taken;
    return changedMode(this.settings, { ...others, ...this.paper({ paperSize, paperWidth, paperLength }) });
  }

  sheetOf(mode: DeviceMode, color: boolean): Sheet {
    const inches = [mode.paperWidth / 254, mode.paperLength / 254] as [number, number];
    return sheetOf(inches, mode.printQuality, this.marginInches, color);
  }

  private can(field: string, value: number): boolean {
    const { facts } = this;
    switch (field) {
      case 'defaultSource':
        return facts.trays.some(({ id }) => id === value);
      case 'duplex':
        return facts.duplex;
      case 'color':
        return facts.color === true;
      case 'copies':
        return value <= facts.copies;
      case 'collate':
        return facts.collate;
      case 'printQuality':
      case 'yResolution':
        return facts.resolutions.some(([x]) => x === value);
      default:
        return true;
    }
  }

  private paper({ paperSize, paperWidth, paperLength }: ModeChanges): ModeChanges {
    const listed = this.facts.papers.find(({ id }) => id === paperSize);
    if (listed) {
      const [width, length] = listed.size;
      return {
        paperSize: listed.id,
        formName: listed.name,
        paperWidth: width * 10,
        paperLength: length * 10,
      };
    }
    const { freeSize } = this.facts;
    const [width, length] = [(paperWidth ?? 0) / 10, (paperLength ?? 0) / 10];
    const isFree =
      freeSize && width >= freeSize.min[0] && width <= freeSize.max[0] && length <= freeSize.max[1];
    return isFree ? { paperSize: null, formName: null, paperWidth, paperLength } : {};
  }
}
