import type { FeatureCommand } from '../../cli/command.ts'

export const commands: Record<string, FeatureCommand> = {
  filings: {
    summary: 'files company formations by hand',
    load: () => import('./cli/filings.ts').then(({ filings: run, USAGE }) => ({ run, USAGE })),
  },
}
