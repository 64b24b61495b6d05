import { BackupError } from './backup/manifest.ts'
import { account } from './cli/account.ts'
import { backup } from './cli/backup.ts'
import { catalog } from './cli/catalog.ts'
import { clock } from './cli/clock.ts'
import { exec } from './cli/exec.ts'
import { pay } from './cli/pay.ts'
import { plans } from './cli/plans.ts'
import { restore } from './cli/restore.ts'
import { start } from './cli/start.ts'
import type { Terminal } from './cli/terminal.ts'
import { token } from './cli/token.ts'
import { SettingError } from './config.ts'
import { DatabaseStartError } from './database/database.ts'
import { ListenError } from './http/listen.ts'

/** Errors whose message alone tells a person what to do. */
const EXPLAINED_ERRORS = [SettingError, DatabaseStartError, ListenError, BackupError]

const COMMANDS: Record<string, (terminal: Terminal) => Promise<number>> = {
  start,
  exec,
  pay,
  plans,
  token,
  account,
  clock,
  backup,
  restore,
  catalog,
}

const ALIVE_MS = 60_000

/** One Ctrl-C reaches this process twice: from the terminal, and shortly afterwards from npm. */
const ECHO_MS = 500

const [command = 'start', ...args] = process.argv.slice(2)

const terminal: Terminal = {
  args,
  environment: process.env,
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  /** The first signal lets requests finish; a later one ends the process at once. */
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
  // Workers and timers of the service keep no process alive by themselves; a command that has not ended does.
  const alive = setInterval(() => {}, ALIVE_MS)
  process.exitCode = await run(terminal).catch(explain)
  clearInterval(alive)
} else {
  terminal.complain(`There is no command ${command}. The commands are ${Object.keys(COMMANDS).join(', ')}.`)
  process.exitCode = 1
}

/** Prints an explained error as one sentence, and any other with its stack trace, because that is a fault of ours. */
function explain(error: unknown): number {
  if (EXPLAINED_ERRORS.some((kind) => error instanceof kind)) terminal.complain((error as Error).message)
  else terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

/** npm sends its signals to the shell that runs this process, and the shell does not pass them on. */
function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, ECHO_MS)
  timer.unref()
}
