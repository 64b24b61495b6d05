import { BackupError } from '../backup/manifest.ts'
import { DatabaseStartError } from '../database/database.ts'
import { FEATURE_COMMANDS } from '../feature-commands.ts'
import { ListenError } from '../http/listen.ts'
import { VERSION } from '../runtime/version.ts'
import { SettingError } from '../settings/config.ts'
import { settingWarnings } from '../settings/warnings.ts'
import type { FeatureCommand } from './command.ts'
import { endOf, exitCode, exitCodeLines, UsageError } from './exit-codes.ts'
import { didYouMean } from './options.ts'
import type { Terminal } from './terminal.ts'

/** Errors whose message is enough. All others are bugs, and are printed with a stack trace. */
const EXPLAINED_ERRORS = [SettingError, DatabaseStartError, ListenError, BackupError]

/** Each command's module exports `run` and `USAGE`, and is loaded when the command runs. */
export const COMMANDS: Readonly<Record<string, FeatureCommand>> = {
  start: { summary: 'starts the service', load: () => import('./start.ts') },
  exec: { summary: 'runs a Ruby program on the shop', load: () => import('./exec.ts') },
  pay: { summary: 'pays a checkout in test mode', load: () => import('./pay.ts') },
  plans: { summary: 'shows plans, and applies or rejects them', load: () => import('./plans.ts') },
  background: {
    summary: 'shows background programs, stops them and lets them go on',
    load: () => import('./background.ts'),
  },
  token: { summary: 'manages API tokens', load: () => import('./token.ts') },
  account: { summary: 'manages the accounts of the service', load: () => import('./account.ts') },
  clock: { summary: 'moves the clocks of test accounts', load: () => import('./clock.ts') },
  credits: { summary: 'adds credits to accounts and shows where they went', load: () => import('./credits.ts') },
  ...FEATURE_COMMANDS,
  export: { summary: 'exports everything of an account as files', load: () => import('./export.ts') },
  backup: { summary: 'backs up the data directory', load: () => import('./backup.ts') },
  restore: { summary: 'restores a backup', load: () => import('./restore.ts') },
  'go-live': { summary: 'lets a restored copy send and charge again', load: () => import('./go-live.ts') },
  verify: { summary: 'checks the data and changes nothing', load: () => import('./verify.ts') },
  catalog: { summary: 'regenerates the files in catalog/', load: () => import('./catalog.ts') },
}

const HELP = ['help', '--help', '-h']
const VERSION_WORDS = ['version', '--version', '-v']

/** Runs a command and returns its exit code. `commands` contains the commands of this build, by default all. */
export async function runCommand(
  command: string | undefined,
  terminal: Terminal,
  commands = COMMANDS,
): Promise<number> {
  try {
    return await findAndRun(command, terminal, commands)
  } catch (error) {
    return explain(error, terminal, command)
  }
}

async function findAndRun(command: string | undefined, terminal: Terminal, commands: typeof COMMANDS): Promise<number> {
  if (command === undefined) throw new UsageError(commandList(commands))
  if (HELP.includes(command)) {
    terminal.print(commandList(commands))
    return exitCode('done')
  }
  if (VERSION_WORDS.includes(command)) {
    terminal.print(VERSION)
    return exitCode('done')
  }
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!found) {
    const names = Object.keys(commands)
    const meant = didYouMean(command, names)
    throw new UsageError(`There is no command ${command}.${meant} The commands are ${names.join(', ')}.`)
  }
  const { run, USAGE } = await found.load()
  if (!asksForHelp(terminal.args)) {
    for (const warning of settingWarnings(terminal.environment)) terminal.complain(warning)
    return run(terminal)
  }
  terminal.print([USAGE, '', ...exitCodeLines()].join('\n'))
  return exitCode('done')
}

/** Ignores everything after `--`, which belongs to the Ruby program that `exec` runs. */
function asksForHelp(words: string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end < 0 ? words.length : end).some((word) => word === '--help' || word === '-h')
}

function explain(error: unknown, terminal: Terminal, command: string | undefined): number {
  const explained = EXPLAINED_ERRORS.some((kind) => error instanceof kind)
  if (!(error instanceof Error)) terminal.complain(String(error))
  else terminal.complain(explained ? error.message : (error.stack ?? error.message))
  return exitCode(endOf(error, command))
}

function commandList(commands: typeof COMMANDS): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  npm run ${name.padEnd(width)}  ${summary}`)
  return ['Commands:', '', ...lines, '', 'npm run NAME -- --help explains a command.', '', ...exitCodeLines()].join(
    '\n',
  )
}
