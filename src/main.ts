import { BackupError } from './backup/manifest.ts'
import type { Terminal } from './cli/terminal.ts'
import { SettingError } from './config.ts'
import { DatabaseStartError } from './database/database.ts'
import { ListenError } from './http/listen.ts'
import { settingWarnings } from './setting-warnings.ts'

/** Errors whose message alone tells a person what to do. */
const EXPLAINED_ERRORS = [SettingError, DatabaseStartError, ListenError, BackupError]

type Command = (terminal: Terminal) => Promise<number>

/** Each is loaded alone: what the others need takes memory that a server would hold for as long as it runs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./cli/start.ts')).start,
  exec: async () => (await import('./cli/exec.ts')).exec,
  pay: async () => (await import('./cli/pay.ts')).pay,
  plans: async () => (await import('./cli/plans.ts')).plans,
  token: async () => (await import('./cli/token.ts')).token,
  account: async () => (await import('./cli/account.ts')).account,
  clock: async () => (await import('./cli/clock.ts')).clock,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/restore.ts')).restore,
  catalog: async () => (await import('./cli/catalog.ts')).catalog,
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

const load = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
if (load) {
  // Workers and timers of the service keep no process alive by themselves; a command that has not ended does.
  const alive = setInterval(() => {}, ALIVE_MS)
  const run = await load()
  for (const warning of settingWarnings(process.env)) terminal.complain(warning)
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
