import type { Terminal } from './terminal.ts'

/** Loads a command on demand, so that a server does not hold the modules of other commands in memory. */
export type LoadCommand = () => Promise<{ run(terminal: Terminal): Promise<number>; USAGE: string }>

export interface FeatureCommand {
  summary: string
  load: LoadCommand
}
