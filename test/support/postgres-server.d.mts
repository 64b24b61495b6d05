export interface PostgresServer {
  url: string
  port: number
  version: string
  /** Starts it again, with further settings. */
  start(settings?: Record<string, string>): Promise<void>
  /** SIGTERM waits for clients, SIGINT (the default) cuts them off, SIGQUIT is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export function findServerPrograms(): string | null
export function startServer(programs: string, undo: (() => unknown)[]): Promise<PostgresServer>
/** A port that nobody listens on now. */
export function freePort(): Promise<number>
