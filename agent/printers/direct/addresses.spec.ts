import { devicePath, isDevicePath, namedAddress, parseAddress, shownAddress } from './addresses.js';

describe('naming a printer without a queue', () => {
  it('takes the address behind the first equals sign', () => {
    expect(namedAddress('Label=socket://10.0.0.7?status=zpl')).toEqual({
      name: 'Label',
      address: 'socket://10.0.0.7?status=zpl',
    });
  });

  it.each([
    ['socket://10.0.0.7', 'NAME=ADDRESS'],
    ['=socket://10.0.0.7', 'NAME=ADDRESS'],
    [`${'n'.repeat(181)}=socket://10.0.0.7`, 'NAME=ADDRESS'],
    ['Label=10.0.0.7', 'not an address'],
    ['Label=http://10.0.0.7', 'begins with'],
    ['Label=socket:10.0.0.7', 'not socket://host'],
    ['Label=file://server/share', 'file:/path'],
    ['Label=socket://10.0.0.7:99999', 'not an address'],
    ['Label=socket://10.0.0.7/queue', 'no path'],
    ['Label=file:/dev/%zz', 'percent sign'],
    ['Label=socket://10.0.0.7?status=pcl', 'not a value of status'],
    ['Label=socket://10.0.0.7?baud=9600', 'no setting baud'],
  ])('refuses %s', (text, message) => {
    expect(() => namedAddress(text)).toThrow(message);
  });
});

describe('the address of a printer', () => {
  it.each([
    ['socket://label', 'socket://label:9100'],
    ['socket://user:secret@label:6101/?status=zpl', 'socket://label:6101'],
    ['socket://[fe80::1]:9100', 'socket://[fe80::1]:9100'],
    ['ipp://admin:secret@office/ipp/print', 'ipp://office:631/ipp/print'],
    ['file:/dev/usb/lp0', 'file:/dev/usb/lp0'],
    ['file:COM3?baud=9600', 'file:COM3'],
  ])('%s is shown as %s', (address, shown) => {
    expect(shownAddress(parseAddress(address))).toBe(shown);
  });

  it.each([
    ['/dev/usb/lp0', true],
    ['/dev/ttyUSB1', true],
    ['/dev/serial/by-id/usb-FTDI_FT232R-if00-port0', true],
    ['COM3', true],
    ['LPT1', true],
    ['/dev/sda', false],
    ['/dev/mem', false],
    ['/dev/usb/../sda', false],
    ['/dev/serial/by-id/../../sda', false],
    ['/dev/serial/by-id/..', false],
    ['/etc/passwd', false],
    ['C:\\Windows\\win.ini', false],
    ['COM3\\..\\x', false],
  ])('%s is a device: %s', (path, isDevice) => {
    expect(isDevicePath(path)).toBe(isDevice);
  });

  it('has the path of a file, also of Windows', () => {
    const paths = ['file:/tmp/a%20b', 'file:COM3', 'file:///C:/out.bin'].map((text) =>
      devicePath(new URL(text)),
    );
    expect(paths).toEqual(['/tmp/a b', 'COM3', 'C:/out.bin']);
  });
});
