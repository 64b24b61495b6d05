import { fileURLToPath } from 'node:url'
import { BackupError } from './backup/manifest.ts'
import { commandList, helpOf } from './cli/command-list.ts'
import { endOf, exitCode, UsageError } from './cli/exit-codes.ts'
import { didYouMean } from './cli/options.ts'
import type { Terminal } from './cli/terminal.ts'
import { SettingError } from './config.ts'
import { DatabaseStartError } from './database/database.ts'
import { ListenError } from './http/listen.ts'
import { settingWarnings } from './setting-warnings.ts'

/** Errors whose message alone tells a person what to do. */
const EXPLAINED_ERRORS = [SettingError, DatabaseStartError, ListenError, BackupError]

interface Command {
  run(terminal: Terminal): Promise<number>
  USAGE: string
}

/** Each is loaded alone: what the others need takes memory that a server would hold for as long as it runs. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  start: () => import('./cli/start.ts').then(({ start: run, USAGE }) => ({ run, USAGE })),
  exec: () => import('./cli/exec.ts').then(({ exec: run, USAGE }) => ({ run, USAGE })),
  pay: () => import('./cli/pay.ts').then(({ pay: run, USAGE }) => ({ run, USAGE })),
  plans: () => import('./cli/plans.ts').then(({ plans: run, USAGE }) => ({ run, USAGE })),
  token: () => import('./cli/token.ts').then(({ token: run, USAGE }) => ({ run, USAGE })),
  account: () => import('./cli/account.ts').then(({ account: run, USAGE }) => ({ run, USAGE })),
  clock: () => import('./cli/clock.ts').then(({ clock: run, USAGE }) => ({ run, USAGE })),
  credits: () => import('./cli/credits.ts').then(({ credits: run, USAGE }) => ({ run, USAGE })),
  filings: () => import('./cli/filings.ts').then(({ filings: run, USAGE }) => ({ run, USAGE })),
  backup: () => import('./cli/backup.ts').then(({ backup: run, USAGE }) => ({ run, USAGE })),
  restore: () => import('./cli/restore.ts').then(({ restore: run, USAGE }) => ({ run, USAGE })),
  catalog: () => import('./cli/catalog.ts').then(({ catalog: run, USAGE }) => ({ run, USAGE })),
}

const HELP = ['help', '--help', '-h']
const ALIVE_MS = 60_000

/** One Ctrl-C reaches this process twice: from the terminal, and shortly afterwards from npm. */
const ECHO_MS = 500

const [command = 'start', ...args] = process.argv.slice(2)

const terminal: Terminal = {
  args,
  environment: process.env,
  directory: startedFrom(),
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  /** The first signal lets requests finish; a later one ends the process at once. */
  onStop(stop) {
    let since = 0
    const ask = () => {
      if (since === 0) stop()
      else if (performance.now() - since > ECHO_MS) process.exit(exitCode('stopped'))
      since ||= performance.now()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask)
    if (process.env.npm_command || process.env.SHOPWRIGHT_STARTED_BY) stopWhenOrphaned(ask)
  },
}

// Whoever reads the output may have seen enough, as head does.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exitCode('cut'))
  })
// Workers and timers of the service keep no process alive by themselves; a command that has not ended does.
const alive = setInterval(() => {}, ALIVE_MS)
process.exitCode = await runCommand().catch(explain)
clearInterval(alive)

async function runCommand(): Promise<number> {
  if (HELP.includes(command)) {
    terminal.print(commandList(Object.keys(COMMANDS)))
    return exitCode('done')
  }
  const load = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!load) {
    const names = Object.keys(COMMANDS)
    const meant = didYouMean(command, names)
    throw new UsageError(`There is no command ${command}.${meant} The commands are ${names.join(', ')}.`)
  }
  const { run, USAGE } = await load()
  if (!asksForHelp(args)) {
    for (const warning of settingWarnings(process.env)) terminal.complain(warning)
    return run(terminal)
  }
  terminal.print(helpOf(USAGE))
  return exitCode('done')
}

/** What follows `--` is for the program that `exec` runs. */
function asksForHelp(words: string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end < 0 ? words.length : end).some((word) => word === '--help' || word === '-h')
}

/** Prints an explained error as one sentence, and any other with its stack trace, because that is a fault of ours. */
function explain(error: unknown): number {
  if (EXPLAINED_ERRORS.some((kind) => error instanceof kind)) terminal.complain((error as Error).message)
  else terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return exitCode(endOf(error))
}

/** npm runs its scripts in the folder of the project, and says in which directory it was started itself. */
function startedFrom(): string {
  const { INIT_CWD, npm_package_json } = process.env
  const ownScript = npm_package_json === fileURLToPath(new URL('../package.json', import.meta.url))
  return ownScript && INIT_CWD ? INIT_CWD : process.cwd()
}

/** npm sends its signals to the shell that runs this process, and the shell does not pass them on. An older Node.js can be killed. */
function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, ECHO_MS)
  timer.unref()
}
