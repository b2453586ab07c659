import {
  Activity,
  Building2,
  Handshake,
  Inbox,
  KeyRound,
  LayoutDashboard,
  Printer,
  ScrollText,
  Search,
  Send,
  Settings,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

export interface NavigationPage {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
}

const page = (path: string, title: string, icon: LucideIcon): NavigationPage => ({ path, title, icon });

/** In the order of the navigation; on small screens the first four have a place in the bar. */
export const MEMBER_PAGES = [
  page('/', 'Overview', LayoutDashboard),
  page('/jobs', 'Jobs', Inbox),
  page('/send', 'Send', Send),
  page('/devices', 'Devices', Printer),
  page('/keys', 'Keys', KeyRound),
  page('/webhooks', 'Webhooks', Webhook),
  page('/account', 'Account', Settings),
] as const;

export const OPERATOR_PAGES = [
  page('/', 'Service', Activity),
  page('/find', 'Find', Search),
  page('/accounts', 'Accounts', Building2),
  page('/partners', 'Partners', Handshake),
  page('/stream', 'Stream', ScrollText),
] as const;

export const MEMBER_SEARCH = {
  path: '/jobs',
  finds: "a printer's name, or a job's title, external id or id",
} as const;
export const OPERATOR_SEARCH = {
  path: '/find',
  finds: 'a name, code, title or id of jobs, computers, accounts and partners',
} as const;
