import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { newQueryClient } from './api/reads.js';
import { SessionProvider } from './api/session.js';
import { App } from './app/app.js';
import './look/tokens.css';
import './look/look.css';

createRoot(document.getElementById('panel')!).render(
  <StrictMode>
    <QueryClientProvider client={newQueryClient()}>
      <SessionProvider>
        <App />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
