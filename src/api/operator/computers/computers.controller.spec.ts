import { problemOfAddress } from './computers.controller.js';

describe('the address of a printer that an operator adds', () => {
  it.each([
    'socket://10.0.0.7',
    'socket://label.shop:9100?status=zpl',
    'socket://[fe80::1]:9100',
    'ipp://office/ipp/print',
    'ipps://office:443/ipp/print',
    'file:/dev/usb/lp0',
    'file:/dev/ttyUSB0?baud=9600',
    'file:/dev/serial/by-id/usb-FTDI_FT232R-if00-port0',
    'file:COM3',
  ])('may be %s', (address) => {
    expect(problemOfAddress(address)).toBeUndefined();
  });

  it.each([
    ['10.0.0.7', 'must be an address'],
    ['http://10.0.0.7', 'must begin with'],
    ['socket:10.0.0.7', 'must name a host'],
    ['socket://10.0.0.7/queue', 'no path'],
    ['ipp://admin:secret@office/ipp', 'no login'],
    ['file:/etc/cron.d/x', 'must name a device'],
    ['file:/dev/sda', 'must name a device'],
    ['file:/dev/usb/../sda', 'must name a device'],
    ['file:/dev/usb/%2e%2e/sda', 'must name a device'],
    ['file:/dev/serial/by-id/..', 'must name a device'],
    ['file:/dev/serial/by-id/a..b', 'must name a device'],
    ['file://server/dev/usb/lp0', 'must name a device'],
    ['file:C:/Windows/win.ini', 'must name a device'],
  ])('is not %s', (address, problem) => {
    expect(problemOfAddress(address)).toContain(problem);
  });
});
