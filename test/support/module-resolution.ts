import { registerHooks } from 'node:module';

// Vitest tells its main process of each import of each module of each worker, for a watch mode that nobody uses here: that costs
// more than reading the module. What is named by its file needs no look for it, so it is resolved before Vitest hears of it.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : nextResolve(specifier, context),
});
