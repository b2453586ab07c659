import type { ReactNode } from 'react';
import logo from '../app/logo.svg';

/** A page of somebody who is not signed in yet: it names the product. */
export const Entrance = ({ children }: { readonly children: ReactNode }) => (
  <main className="narrow stack">
    <p className="row product">
      <img src={logo} alt="" width="24" height="24" />
      Remote Printing Service
    </p>
    {children}
  </main>
);
