import { Module, type DynamicModule, type Provider } from '@nestjs/common';

@Module({})
class ViewModule {}

/** Provides the queries of a view, and the ports of contexts that they implement, to all modules. */
export function viewModule(...providers: Provider[]): DynamicModule {
  const exports = providers.map((one) => ('provide' in one ? one.provide : one));
  return { module: ViewModule, global: true, providers, exports };
}
