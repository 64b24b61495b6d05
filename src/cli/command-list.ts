import { exitCodeLines } from './exit-codes.ts'

/** What each command is for, in a line. */
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
  filings: 'files company formations by hand',
  backup: 'backs up the data directory',
  restore: 'restores a backup',
  'go-live': 'lets a restored copy send and charge again',
  verify: 'checks the data and changes nothing',
  catalog: 'regenerates the files in catalog/',
}

/** The commands, for who asks which there are. */
export function commandList(names: string[]): string {
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => `  npm run ${name.padEnd(width)}  ${SUMMARIES[name] ?? ''}`.trimEnd())
  return ['Commands:', '', ...lines, '', 'npm run NAME -- --help explains a command.', '', ...exitCodeLines()].join(
    '\n',
  )
}

/** The help of one command. */
export function helpOf(usage: string): string {
  return [usage, '', ...exitCodeLines()].join('\n')
}
