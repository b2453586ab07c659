import koffi from 'koffi';
import { changedMode, valueIn } from './device-mode.js';
import { DeviceModeType, readMode, withMode } from './device-mode-memory.js';

describe('DEVMODEW in memory', () => {
  it('has the size and the offsets of wingdi.h', () => {
    expect(koffi.sizeof(DeviceModeType)).toBe(220);
    const offsets = {
      ...{ deviceName: 0, specVersion: 64, driverVersion: 66, size: 68, driverExtra: 70, fields: 72 },
      ...{ orientation: 76, paperSize: 78, paperLength: 80, paperWidth: 82, scale: 84, copies: 86 },
      ...{ defaultSource: 88, printQuality: 90, color: 92, duplex: 94, yResolution: 96, ttOption: 98 },
      ...{ collate: 100, formName: 102, logPixels: 166, bitsPerPixel: 168, nup: 180, panningHeight: 216 },
    };
    const found = Object.keys(offsets).map((name) => [name, koffi.offsetof(DeviceModeType, name)]);
    expect(Object.fromEntries(found)).toEqual(offsets);
  });

  it('changes fields and their bits, and neither other ones nor the data of the driver', () => {
    const before = Buffer.alloc(300, 0);
    before.write('Office', 0, 'utf16le');
    before.writeUInt16LE(220, 68);
    before.writeUInt32LE(0x2 | 0x100, 72);
    before.writeInt16LE(9, 78);
    before.writeInt16LE(-3, 90);
    before.fill(0xa5, 220);
    const after = withMode(
      before,
      changedMode(readMode(before), { paperSize: null, duplex: 2, paperWidth: 620, formName: 'Größe 1' }),
    );

    const expected = Buffer.from(before);
    expected.writeUInt32LE(0x100 | 0x1000 | 0x8 | 0x10000, 72);
    expected.writeInt16LE(2, 94);
    expected.writeInt16LE(620, 82);
    expected.write('Größe 1', 102, 'utf16le');
    expect(after).toEqual(expected);
    const mode = readMode(after);
    expect([valueIn(mode, 'paperSize'), valueIn(mode, 'duplex'), valueIn(mode, 'formName')]).toEqual([
      undefined,
      2,
      'Größe 1',
    ]);
  });
});
