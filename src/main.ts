import { catalog } from './cli/catalog.ts'
import { exec } from './cli/exec.ts'
import { start } from './cli/start.ts'
import type { Terminal } from './cli/terminal.ts'
import { token } from './cli/token.ts'
import { SettingError } from './config.ts'
import { DatabaseStartError } from './database/database.ts'
import { ListenError } from './http/listen.ts'

/** Errors that tell a person what to do. */
const MENDABLE = [SettingError, DatabaseStartError, ListenError]

const COMMANDS: Record<string, (terminal: Terminal) => Promise<number>> = { start, exec, token, catalog }

/** Of one Ctrl-C a terminal tells the whole group, and npm then tells its child again. */
const ECHO_MS = 500

const [command = 'start', ...args] = process.argv.slice(2)

const terminal: Terminal = {
  args,
  environment: process.env,
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  /** The first signal ends it politely, a later one at once. */
  onStop(stop) {
    let since = 0
    const ask = () => {
      if (since === 0) stop()
      else if (performance.now() - since > ECHO_MS) process.exit(1)
      since ||= performance.now()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask)
    if (process.env.npm_command) stopWhenOrphaned(ask)
  },
}

const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
if (run) {
  process.exitCode = await run(terminal).catch(explain)
} else {
  terminal.complain(`There is no command ${command}; there are ${Object.keys(COMMANDS).join(', ')}.`)
  process.exitCode = 1
}

/** What a person can mend is told in a sentence; only our own mistakes show where they are. */
function explain(error: unknown): number {
  if (MENDABLE.some((kind) => error instanceof kind)) terminal.complain((error as Error).message)
  else terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

/** npm passes a signal on to the shell between it and this process, and the shell keeps it to itself. */
function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, ECHO_MS)
  timer.unref()
}
