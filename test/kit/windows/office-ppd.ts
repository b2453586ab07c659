const PAPERS: readonly (readonly [name: string, width: number, length: number])[] = [
  ['A4', 595, 842],
  ['Letter', 612, 792],
  ['A5', 420, 595],
  ['Label', 283, 425],
];
const MARGIN = 12;

/** Describes an office printer of PostScript: four papers, two trays, duplex. CUPS passes its pages on unchanged. */
export function officePpd(): string {
  const papers = PAPERS.flatMap(([name, width, length]) => [
    `*PageSize ${name}: "<</PageSize[${width} ${length}]>>setpagedevice"`,
    `*PageRegion ${name}: "<</PageSize[${width} ${length}]>>setpagedevice"`,
    `*ImageableArea ${name}: "${MARGIN} ${MARGIN} ${width - MARGIN} ${length - MARGIN}"`,
    `*PaperDimension ${name}: "${width} ${length}"`,
  ]);
  return [
    ...['*PPD-Adobe: "4.3"', '*FormatVersion: "4.3"', '*FileVersion: "1.0"', '*LanguageVersion: English'],
    ...['*LanguageEncoding: ISOLatin1', '*PCFileName: "OFFICE.PPD"', '*Manufacturer: "Test"'],
    ...['*Product: "(Office)"', '*ModelName: "Office"', '*ShortNickName: "Office"', '*NickName: "Office"'],
    ...['*PSVersion: "(3010.000) 0"', '*LanguageLevel: "3"', '*ColorDevice: True', '*DefaultColorSpace: RGB'],
    ...['*FileSystem: False', '*TTRasterizer: Type42', '*cupsFilter: "application/postscript 0 -"'],
    ...['*DefaultResolution: 600dpi', '*Resolution 600dpi: "<</HWResolution[600 600]>>setpagedevice"'],
    ...['*OpenUI *PageSize: PickOne', '*DefaultPageSize: A4', '*DefaultPageRegion: A4'],
    ...['*DefaultImageableArea: A4', '*DefaultPaperDimension: A4'],
    ...papers.filter((line) => line.startsWith('*PageSize')),
    ...['*CloseUI: *PageSize', '*OpenUI *PageRegion: PickOne'],
    ...papers.filter((line) => line.startsWith('*PageRegion')),
    '*CloseUI: *PageRegion',
    ...papers.filter((line) => /^\*(Imageable|PaperD)/.test(line)),
    ...['*OpenUI *InputSlot: PickOne', '*DefaultInputSlot: Upper'],
    '*InputSlot Upper/Upper Tray: "<</MediaPosition 0>>setpagedevice"',
    '*InputSlot Manual/Manual Feed: "<</MediaPosition 1>>setpagedevice"',
    ...['*CloseUI: *InputSlot', '*OpenUI *Duplex: PickOne', '*DefaultDuplex: None'],
    '*Duplex None/Off: "<</Duplex false>>setpagedevice"',
    '*Duplex DuplexNoTumble/Long edge: "<</Duplex true /Tumble false>>setpagedevice"',
    '*Duplex DuplexTumble/Short edge: "<</Duplex true /Tumble true>>setpagedevice"',
    ...['*CloseUI: *Duplex', '*DefaultFont: Courier', '*Font Courier: Standard "(001.000)" Standard ROM', ''],
  ].join('\n');
}
