export const IMPORTING_SUMMARIES = { import: 'imports a shop from Shopify, Stripe or CSV files' }

export const IMPORTING_COMMANDS = {
  import: () => import('./cli/import.ts').then(({ importFiles: run, USAGE }) => ({ run, USAGE })),
}
