import type { Printer } from '../../sdk/src/generated/integration.js';
import { destinations } from './destinations.js';
import type { NavigationPage } from './pages.js';

const pages = ['Overview', 'Jobs', 'Devices'].map((title) => ({ title, path: title }) as NavigationPage);
const printers = ['Till 1', 'Till 12', 'Device desk'].map((name) => ({ name, printer_id: name }) as Printer);
const leadsTo = (typed: string, known = printers) =>
  destinations(typed, pages, known, '/jobs').map(({ path }) => decodeURIComponent(path));

describe('where a text leads', () => {
  it('is every page without a text', () => {
    expect(leadsTo('')).toEqual(['Overview', 'Jobs', 'Devices']);
  });

  it('is a page that begins with it, before all others', () => {
    expect(leadsTo('dev')).toEqual(['Devices', '/jobs?q=dev', '/devices/printers/Device desk']);
  });

  it('is a printer of just this name, before the search', () => {
    expect(leadsTo('till 1')[0]).toBe('/devices/printers/Till 1');
    expect(leadsTo('till 1').slice(1)).toEqual(['/jobs?q=till+1', '/devices/printers/Till 12']);
  });

  it('is the search before a printer whose name only begins with it', () => {
    expect(leadsTo('till')).toEqual([
      ...['/jobs?q=till', '/devices/printers/Till 1', '/devices/printers/Till 12'],
    ]);
  });

  it('is no printer that has it elsewhere in its name', () => {
    expect(leadsTo('12')).toEqual(['/jobs?q=12']);
  });
});
