import { OFFICE } from '../../../test/kit/fakes/fake-driver.js';
import { sheetOf, A4_INCHES } from '../../../test/kit/drawn-sheet.js';
import { capabilitiesOf, marginsOf } from './driver-facts.js';
import { namedPapers, paperOfSize, pwgNameOf, sizeIn } from './papers.js';

describe('what a driver can do', () => {
  it('has standard names', () => {
    expect(capabilitiesOf(OFFICE)).toEqual({
      ...{ color: true, duplex: true, trays: ['Upper', 'Manual Feed'], resolutions_dpi: [100, 150] },
      papers: [
        ...['custom_min_25x10mm', 'custom_max_330x500mm', 'iso_a4_210x297mm', 'na_letter_8.5x11in'],
        ...['iso_a5_148x210mm', 'custom_shipping-label_100x150mm', 'custom_a4-borderless_210x297mm'],
      ],
      options: [
        ...['color', 'scale', 'orientation', 'rotate', 'pages', 'collate'],
        ...['paper', 'tray', 'duplex', 'resolution_dpi'],
      ],
    });
  });

  it('names no option that the driver lacks', () => {
    const plain = {
      papers: [],
      trays: [],
      duplex: false,
      color: null,
      copies: 1,
      collate: false,
      resolutions: [],
    };
    expect(capabilitiesOf(plain)).toMatchObject({
      ...{ color: null, papers: [], trays: [] },
      options: ['color', 'scale', 'orientation', 'rotate', 'pages', 'collate'],
    });
  });

  it('has the margins of the sheet', () => {
    expect(marginsOf(sheetOf(A4_INCHES, 300))).toEqual({ top: 6.4, right: 6.4, bottom: 6.4, left: 6.4 });
  });
});

describe('names of papers', () => {
  it.each<[[number, number], string, string]>([
    [[210, 297], 'Whatever', 'iso_a4_210x297mm'],
    [[215.9, 279.4], '', 'na_letter_8.5x11in'],
    [[101.6, 152.4], '', 'na_index-4x6_4x6in'],
    [[100, 150], 'Etikett 10×15', 'custom_etikett-10-15_100x150mm'],
    [[62.2, 29], '  --  ', 'custom_paper_62.2x29mm'],
  ])('of %j called "%s": %s', (size, name, expected) => {
    expect(pwgNameOf(size, name)).toBe(expected);
    expect(sizeIn(expected)).toEqual(size);
  });

  it('are unique, and papers without a size have none', () => {
    const papers = [
      { id: 1, name: 'A4', size: [210, 297] as const },
      { id: 2, name: 'A4 Small', size: [210, 297] as const },
      { id: 3, name: 'A4 small', size: [210, 297] as const },
      { id: 4, name: 'Custom', size: [0, 0] as const },
    ];
    expect(namedPapers(papers).map(({ pwgName }) => pwgName)).toEqual([
      'iso_a4_210x297mm',
      'custom_a4-small_210x297mm',
    ]);
  });

  it('are found by size, the nearest and the same way first', () => {
    const papers = namedPapers([
      { id: 1, name: 'across', size: [150, 100] },
      { id: 2, name: 'near', size: [101, 151] },
      { id: 3, name: 'label', size: [100, 150] },
    ]);
    const found = (width: number, height: number) => paperOfSize(papers, [width, height])?.name;
    expect([found(100, 150), found(150, 100), found(101, 150.8), found(103, 150)]).toEqual([
      ...['label', 'across', 'near', undefined],
    ]);
  });
});
