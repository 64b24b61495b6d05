import { type AccountClock, shownBy } from '../clock/account-clock.ts'
import { ClockError, findClock, refuseTarget } from '../clock/advance.ts'
import { afterDuration, DURATION_UNITS } from '../clock/durations.ts'
import { type DayOfEvents, eventsSince, lastEvent } from '../clock/history.ts'
import { readSettings, SettingError, type Settings } from '../config.ts'
import { currentTimestamp, toTimestamp } from '../contract/values/values.ts'
import type { Database } from '../database/database.ts'
import { type AccountSummary, listAccounts } from '../resources/company/account/life/list.ts'
import type { Tables } from '../resources/tables.ts'
import { moveClock } from './clock-mover.ts'
import { inColumns } from './columns.ts'
import { exitCode, UsageError } from './exit-codes.ts'
import { readOptions, refuseWords, unknownVerb } from './options.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

export const USAGE = `Moves the clocks of test accounts forward, whether or not a server is running. Everything that falls due on the way happens
in order: renewals, expirations, and their webhooks and e-mails.

  npm run clock -- show                                         shows the clocks of all test accounts
  npm run clock -- advance 3 months [--account ACCOUNT]         moves a clock by a duration: 30 days, 36 hours, 2 years
  npm run clock -- advance --to MOMENT [--account ACCOUNT]      moves it to a moment such as 2027-01-31T00:00:00Z

ACCOUNT is an id or a subdomain; you can leave it out if there is only one test account. npm run account -- create --test
creates a test account.`

const OPTIONS = {
  account: 'the id or the subdomain of a test account',
  to: 'a time such as 2027-01-31T00:00:00Z',
}

/** `clock show|advance`. */
export async function clock(terminal: Terminal): Promise<number> {
  const [verb, ...args] = terminal.args
  const run = { show, advance }[verb ?? '']
  if (!run) throw unknownVerb(verb, ['show', 'advance'], USAGE)
  return run(terminal, readSettings(terminal.environment), args).catch((error: unknown) => {
    throw error instanceof ClockError ? new SettingError(error.message) : error
  })
}

async function show(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  refuseWords(readOptions(args, {}, USAGE).words, USAGE)
  const rows = await withDatabase(settings, async (database) =>
    Promise.all(
      (await testAccounts(database)).map(async (account) => cells(account, await clockOf(database, account))),
    ),
  )
  for (const line of inColumns(rows)) terminal.print(line)
  if (rows.length === 0)
    terminal.complain('There are no test accounts. Create one with npm run account -- create --test.')
  return 0
}

type Clock = AccountClock & { target: string | null }

function cells({ id, subdomain }: AccountSummary, clock: Clock): string[] {
  const target = clock.target === null ? '' : `moving to ${clock.target}`
  return [id, subdomain, shownBy(clock, currentTimestamp()), target]
}

async function advance(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const { words, options } = readOptions(args, OPTIONS, USAGE)
  if (words.length !== (options.to === undefined ? 2 : 0))
    throw new UsageError('Give a duration such as 3 months, or --to and a time.', USAGE)
  const move = await withDatabase(settings, async (database) => {
    const account = await chosenAccount(database, options.account)
    const from = shownBy(await clockOf(database, account), currentTimestamp())
    const to = options.to === undefined ? afterWords(from, words) : momentOf(options.to)
    refuseTarget(from, to)
    return { account, to, since: await lastEvent(database, account.id) }
  })
  const { account, to, since } = move
  const reached = await moveClock(terminal, settings, account.id, to)
  const events = await withDatabase(settings, (database) => eventsSince(database, account.id, since))
  for (const line of told(events)) terminal.print(line)
  if (events.length === 0) terminal.print('Nothing was due in between.')
  terminal.print(`The clock of ${account.subdomain} shows ${reached}.`)
  if (reached >= to) return 0
  terminal.complain(
    `It stopped before it was done. To continue: npm run clock -- advance --to ${to} --account ${account.subdomain}`,
  )
  return exitCode('failed')
}

/** A line for each date, with the number of its events by type. */
function told(events: DayOfEvents[]): string[] {
  const dates = Map.groupBy(events, ({ date }) => date)
  return [...dates].map(([date, types]) => `${date}  ${types.map(({ type, count }) => `${count} ${type}`).join(', ')}`)
}

function afterWords(from: string, [count, unit]: string[]): string {
  const after = afterDuration(from, count!, unit!)
  if (after !== null) return after
  throw new UsageError(
    `${count} ${unit} is not a duration: write a whole number and one of ${DURATION_UNITS.join(', ')}, such as 3 months.`,
  )
}

function momentOf(given: string): string {
  const moment = toTimestamp(given)
  if (moment !== null) return moment
  throw new UsageError(`--to needs ${OPTIONS.to}, not "${given}".`)
}

async function testAccounts(database: Database<Tables>): Promise<AccountSummary[]> {
  return (await listAccounts(database)).filter(({ test }) => test)
}

/** The test account that is named, or the only one. */
async function chosenAccount(database: Database<Tables>, named: string | undefined): Promise<AccountSummary> {
  const accounts = await listAccounts(database)
  const tests = accounts.filter(({ test }) => test)
  if (named === undefined && tests.length === 1) return tests[0]!
  const found = accounts.find(({ id, subdomain }) => id === named || subdomain === named)
  if (found?.test) return found
  throw new SettingError(refusal(named, found, tests))
}

function refusal(named: string | undefined, found: AccountSummary | undefined, tests: AccountSummary[]): string {
  const known = tests.map(({ subdomain }) => subdomain).join(', ')
  if (tests.length === 0) return 'There is no test account. Create one with npm run account -- create --test.'
  if (named === undefined) return `Choose an account: add --account and one of ${known}.`
  if (found) return `${named} is not a test account, so it uses the system clock. The test accounts are ${known}.`
  return `There is no account with the id or subdomain ${named}. The test accounts are ${known}.`
}

function clockOf(database: Database<Tables>, { id }: AccountSummary) {
  return findClock(database.read, id)
}
