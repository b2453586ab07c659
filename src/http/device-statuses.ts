export const COMPUTER_STATUSES = ['pending', 'online', 'offline', 'disabled', 'revoked'] as const;
export const PRINTER_STATUSES = ['online', 'offline', 'disabled', 'removed'] as const;
