import { BackupError } from '../backup/manifest.ts'
import { DatabaseStartError } from '../database/database.ts'
import { FEATURE_COMMANDS } from '../feature-commands.ts'
import { ListenError } from '../http/listen.ts'
import { SettingError } from '../settings/config.ts'
import { settingWarnings } from '../settings/warnings.ts'
import { VERSION } from '../version.ts'
import type { FeatureCommand, LoadCommand } from './command.ts'
import { endOf, exitCode, exitCodeLines, UsageError } from './exit-codes.ts'
import { didYouMean } from './options.ts'
import type { Terminal } from './terminal.ts'

const SUMMARIES: Record<string, string> = {
  start: 'starts the service',
  exec: 'runs a Ruby program on the shop',
  pay: 'pays a checkout in test mode',
  plans: 'shows plans, and applies or rejects them',
  background: 'shows background programs, stops them and lets them go on',
  token: 'manages API tokens',
  account: 'manages the accounts of the service',
  clock: 'moves the clocks of test accounts',
  credits: 'adds credits to accounts and shows where they went',
  ...ofFeatures(({ summary }) => summary),
  export: 'exports everything of an account as files',
  backup: 'backs up the data directory',
  restore: 'restores a backup',
  'go-live': 'lets a restored copy send and charge again',
  verify: 'checks the data and changes nothing',
  catalog: 'regenerates the files in catalog/',
}

/** Errors whose message is enough. All others are bugs, and are printed with a stack trace. */
const EXPLAINED_ERRORS = [SettingError, DatabaseStartError, ListenError, BackupError]

export const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  start: () => import('./start.ts').then(({ start: run, USAGE }) => ({ run, USAGE })),
  exec: () => import('./exec.ts').then(({ exec: run, USAGE }) => ({ run, USAGE })),
  pay: () => import('./pay.ts').then(({ pay: run, USAGE }) => ({ run, USAGE })),
  plans: () => import('./plans.ts').then(({ plans: run, USAGE }) => ({ run, USAGE })),
  background: () => import('./background.ts').then(({ background: run, USAGE }) => ({ run, USAGE })),
  token: () => import('./token.ts').then(({ token: run, USAGE }) => ({ run, USAGE })),
  account: () => import('./account.ts').then(({ account: run, USAGE }) => ({ run, USAGE })),
  clock: () => import('./clock.ts').then(({ clock: run, USAGE }) => ({ run, USAGE })),
  credits: () => import('./credits.ts').then(({ credits: run, USAGE }) => ({ run, USAGE })),
  ...ofFeatures(({ load }) => load),
  export: () => import('./export.ts').then(({ exportFiles: run, USAGE }) => ({ run, USAGE })),
  backup: () => import('./backup.ts').then(({ backup: run, USAGE }) => ({ run, USAGE })),
  restore: () => import('./restore.ts').then(({ restore: run, USAGE }) => ({ run, USAGE })),
  'go-live': () => import('./go-live.ts').then(({ goLive: run, USAGE }) => ({ run, USAGE })),
  verify: () => import('./verify.ts').then(({ verify: run, USAGE }) => ({ run, USAGE })),
  catalog: () => import('./catalog.ts').then(({ catalog: run, USAGE }) => ({ run, USAGE })),
}

function ofFeatures<Value>(pick: (command: FeatureCommand) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(FEATURE_COMMANDS).map(([name, command]) => [name, pick(command)]))
}

const HELP = ['help', '--help', '-h']
const VERSION_WORDS = ['version', '--version', '-v']

/** `commands` are those of this build; by default, it has all. */
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
  const names = Object.keys(commands)
  if (command === undefined) throw new UsageError(commandList(names))
  if (HELP.includes(command)) {
    terminal.print(commandList(names))
    return exitCode('done')
  }
  if (VERSION_WORDS.includes(command)) {
    terminal.print(VERSION)
    return exitCode('done')
  }
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!load) {
    const meant = didYouMean(command, names)
    throw new UsageError(`There is no command ${command}.${meant} The commands are ${names.join(', ')}.`)
  }
  const { run, USAGE } = await load()
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

function commandList(names: string[]): string {
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => `  npm run ${name.padEnd(width)}  ${SUMMARIES[name] ?? ''}`.trimEnd())
  return ['Commands:', '', ...lines, '', 'npm run NAME -- --help explains a command.', '', ...exitCodeLines()].join(
    '\n',
  )
}
