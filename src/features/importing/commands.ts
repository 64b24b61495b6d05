import type { FeatureCommand } from '../../cli/command.ts'

export const commands: Record<string, FeatureCommand> = {
  import: {
    summary: 'imports a shop from Shopify, Stripe or CSV files',
    load: () => import('./cli/import.ts').then(({ importFiles: run, USAGE }) => ({ run, USAGE })),
  },
}
