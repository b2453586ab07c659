/** Letters of the bytes 0x80 to 0xFF, as unicode.org/Public/MAPPINGS lists them. */
const ACCENTS = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ';
const BLOCKS = '░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀';
const CONTROLS = range(0x80, 0x9f);
const LATIN_1 = range(0xa0, 0xff);
const CP850 = (dotless: string): string =>
  `${ACCENTS}ø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ${dotless}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0`;

/** By the parameter of ESC t: tables of Epson's printers. */
export const TABLES: Readonly<Record<number, string>> = {
  0: `${ACCENTS}¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»${BLOCKS}αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0`,
  2: CP850('ı'),
  16: `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${LATIN_1}`,
  17: `АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп${BLOCKS}рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u00a0`,
  18: 'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  19: CP850('€'),
  40:
    CONTROLS +
    LATIN_1.replace('¤', '€')
      .replace('¦', 'Š')
      .replace('¨', 'š')
      .replace('´', 'Ž')
      .replace('¸', 'ž')
      .replace('¼', 'Œ')
      .replace('½', 'œ')
      .replace('¾', 'Ÿ'),
};

function range(first: number, last: number): string {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
