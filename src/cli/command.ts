import type { Terminal } from './terminal.ts'

export interface Command {
  run(terminal: Terminal): Promise<number>
  USAGE: string
}

/** Loads a command on demand, so that a server does not hold the modules of other commands in memory. */
export type LoadCommand = () => Promise<Command>

export interface FeatureCommand {
  summary: string
  load: LoadCommand
}
