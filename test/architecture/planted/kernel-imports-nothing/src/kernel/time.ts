import { readFileSync } from 'node:fs';
export const zone = () => readFileSync('/etc/timezone', 'utf8');
