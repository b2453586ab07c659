/** A sheet that the printer has, in millimetres, with the same margin on each side. */
export interface PpdSheet {
  readonly name: string;
  readonly size: readonly [width: number, height: number];
}

const POINTS = 72 / 25.4;
const points = (mm: number): string => String(Math.round(mm * POINTS * 100) / 100);

/**
 * Describes a printer of CUPS raster, so that its backend receives the dots that the filters have drawn: two trays,
 * duplex, grey or colour, and any size up to 330 x 500 mm.
 */
export function rasterPpd(sheets: readonly PpdSheet[], resolutions: readonly number[], margin = 0): string {
  const first = sheets[0]!.name;
  return [
    ...HEAD,
    ...choices('PageSize', first, []),
    ...choices('PageRegion', first, []),
    ...sheets.flatMap((sheet) => sizeLines(sheet, margin)),
    ...[`*DefaultImageableArea: ${first}`, `*DefaultPaperDimension: ${first}`],
    ...customSizes(margin),
    ...OPTIONS,
    ...choices(
      'Resolution',
      `${resolutions[0]}dpi`,
      resolutions.map((dpi) => [`${dpi}dpi`, `<</HWResolution[${dpi} ${dpi}]>>setpagedevice`]),
    ),
    '*DefaultFont: Courier',
    '',
  ].join('\n');
}

const HEAD = [
  ...['*PPD-Adobe: "4.3"', '*FormatVersion: "4.3"', '*FileVersion: "1.0"', '*LanguageVersion: English'],
  ...['*LanguageEncoding: ISOLatin1', '*PCFileName: "RASTER.PPD"', '*Product: "(Raster)"'],
  ...['*Manufacturer: "Test"', '*ModelName: "Test Raster"', '*ShortNickName: "Test Raster"'],
  ...['*NickName: "Test Raster"', '*PSVersion: "(3010.000) 0"', '*ColorDevice: True'],
  ...['*DefaultColorSpace: RGB', '*LanguageLevel: "3"', '*TTRasterizer: Type42', '*cupsVersion: 2.4'],
  ...['*cupsManualCopies: True', '*cupsFilter: "application/vnd.cups-raster 0 -"'],
];

function sizeLines({ name, size: [width, height] }: PpdSheet, margin: number): string[] {
  const code = `"<</PageSize[${points(width)} ${points(height)}]/ImagingBBox null>>setpagedevice"`;
  return [
    ...[`*PageSize ${name}: ${code}`, `*PageRegion ${name}: ${code}`],
    `*ImageableArea ${name}: "${[margin, margin, width - margin, height - margin].map(points).join(' ')}"`,
    `*PaperDimension ${name}: "${points(width)} ${points(height)}"`,
  ];
}

function customSizes(margin: number): string[] {
  return [
    ...[`*HWMargins: ${Array(4).fill(points(margin)).join(' ')}`, '*VariablePaperSize: True'],
    ...[`*MaxMediaWidth: "${points(330)}"`, `*MaxMediaHeight: "${points(500)}"`],
    '*NonUIOrderDependency: 10 AnySetup *CustomPageSize',
    '*CustomPageSize True: "pop pop pop <</PageSize[5 -2 roll]/ImagingBBox null>>setpagedevice"',
    `*ParamCustomPageSize Width: 1 points 20 ${points(330)}`,
    `*ParamCustomPageSize Height: 2 points 20 ${points(500)}`,
    '*ParamCustomPageSize WidthOffset: 3 points 0 0',
    '*ParamCustomPageSize HeightOffset: 4 points 0 0',
    '*ParamCustomPageSize Orientation: 5 int 0 3',
  ];
}

const COLOR = 'cupsBitsPerColor 8/cupsColorOrder 0/cupsCompression 0>>setpagedevice';
const OPTIONS = [
  ...choices('InputSlot', 'Upper', [
    ['Upper', '<</MediaPosition 0>>setpagedevice'],
    ['Lower', '<</MediaPosition 1>>setpagedevice'],
  ]),
  ...choices('ColorModel', 'RGB', [
    ['Gray', `<</cupsColorSpace 18/${COLOR}`],
    ['RGB', `<</cupsColorSpace 19/${COLOR}`],
  ]),
  ...choices('Duplex', 'None', [
    ['None', '<</Duplex false>>setpagedevice'],
    ['DuplexNoTumble', '<</Duplex true/Tumble false>>setpagedevice'],
    ['DuplexTumble', '<</Duplex true/Tumble true>>setpagedevice'],
  ]),
];

/** The choices of sizes are lines of their own. */
function choices(keyword: string, first: string, values: readonly (readonly [string, string])[]): string[] {
  return [
    `*OpenUI *${keyword}: PickOne`,
    `*OrderDependency: ${values.length === 0 ? 10 : 20} AnySetup *${keyword}`,
    `*Default${keyword}: ${first}`,
    ...values.map(([name, code]) => `*${keyword} ${name}: "${code}"`),
    `*CloseUI: *${keyword}`,
  ];
}
