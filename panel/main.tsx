import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { lazy } from './api/lazy.js';
import { newQueryClient } from './api/reads.js';
import { SessionProvider } from './api/session.js';
import { App } from './app/app.js';
import { FailedPart } from './app/failed-part.js';
import './look/tokens.css';
import './look/base.css';
import './look/layout.css';
import './look/data-table.css';
import './look/floating.css';
import './app/frame.css';

const Toasts = lazy(async () => (await import('./look/toasts.js')).Toasts);

createRoot(document.getElementById('panel')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={newQueryClient()}>
        <SessionProvider>
          <App />
          <FailedPart>
            <Toasts />
          </FailedPart>
        </SessionProvider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
