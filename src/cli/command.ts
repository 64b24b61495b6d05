import type { Terminal } from './terminal.ts'

export interface FeatureCommand {
  summary: string
  /** Loads the command on demand, so that a server does not hold the modules of other commands in memory. */
  load(): Promise<{ run(terminal: Terminal): Promise<number>; USAGE: string }>
}
