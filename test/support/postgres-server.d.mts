export interface PostgresServer {
  url: string
  port: number
  version: string
  /** Starts it again, with further settings. */
  start(settings?: Record<string, string>): Promise<void>
  /** SIGTERM waits for clients, SIGINT (the default) disconnects them, SIGQUIT simulates a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export function findServerPrograms(): string | null
export function startServer(programs: string, undo: (() => unknown)[]): Promise<PostgresServer>
/** Returns a free port. */
export function freePort(): Promise<number>
