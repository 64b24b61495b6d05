import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from '../app.ts'
import { type AccountClock, shownBy } from '../clock/account-clock.ts'
import {
  ADVANCE_LEASE_MS,
  ClockBusyError,
  ClockError,
  dropRequest,
  findClock,
  refuseTarget,
  stopAdvance,
} from '../clock/advance.ts'
import { afterDuration, DURATION_UNITS } from '../clock/durations.ts'
import { type DayOfEvents, eventsSince, lastEvent } from '../clock/history.ts'
import { requestAdvance, requestState } from '../clock/requests.ts'
import { currentTimestamp, toTimestamp } from '../contract/values/values.ts'
import { DirectoryInUseError } from '../database/database.ts'
import { type AccountSummary, listAccounts } from '../resources/company/account/life/list.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { only, replacing } from '../runtime/errors.ts'
import { lazy } from '../runtime/lazy.ts'
import { readSettings, SettingError, type Settings } from '../settings/config.ts'
import { exitCode, UsageError } from './exit-codes.ts'
import { openLog } from './log.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { printRows, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

const POLL_MS = 200
/** Longer than the lease of a clock advance, so that the lease of a crashed process expires during the wait. */
const BUSY_MS = ADVANCE_LEASE_MS + 5_000

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

export async function run(terminal: Terminal): Promise<number> {
  const { run, args } = actionOf(terminal.args, { show, advance }, USAGE)
  return run(terminal, readSettings(terminal.environment), args).catch(
    replacing(ClockError, ({ message }) => new SettingError(message)),
  )
}

async function show(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  refuseWords(readOptions(args, {}, USAGE).words, USAGE)
  const rows = await withDatabase(settings, async (database) =>
    Promise.all(
      (await testAccounts(database)).map(async (account) => cells(account, await clockOf(database, account))),
    ),
  )
  printRows(terminal, rows, 'There are no test accounts. Create one with npm run account -- create --test.')
  return 0
}

function cells({ id, subdomain }: AccountSummary, clock: AccountClock & { target: string | null }): string[] {
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
    const to = options.to === undefined ? addDuration(from, words) : momentOf(options.to)
    refuseTarget(from, to)
    return { account, to, since: await lastEvent(database, account.id) }
  })
  const { account, to, since } = move
  const reached = await moveClock(terminal, settings, account.id, to)
  const events = await withDatabase(settings, (database) => eventsSince(database, account.id, since))
  for (const line of eventLines(events)) terminal.print(line)
  if (events.length === 0) terminal.print('Nothing was due in between.')
  terminal.print(`The clock of ${account.subdomain} shows ${reached}.`)
  if (reached >= to) return 0
  terminal.complain(
    `It stopped before it was done. To continue: npm run clock -- advance --to ${to} --account ${account.subdomain}`,
  )
  return exitCode('failed')
}

function eventLines(events: DayOfEvents[]): string[] {
  const dates = Map.groupBy(events, ({ date }) => date)
  return [...dates].map(([date, types]) => `${date}  ${types.map(({ type, count }) => `${count} ${type}`).join(', ')}`)
}

function addDuration(from: string, [count, unit]: string[]): string {
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

async function testAccounts(database: ShopDatabase): Promise<AccountSummary[]> {
  return (await listAccounts(database)).filter(({ test }) => test)
}

async function chosenAccount(database: ShopDatabase, named: string | undefined): Promise<AccountSummary> {
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

function clockOf(database: ShopDatabase, { id }: AccountSummary) {
  return findClock(database.read, id)
}

/** Moves the clock in this process, or through the server that has the data directory open. Returns the new time. */
function moveClock(terminal: Terminal, settings: Settings, accountId: string, to: string): Promise<string> {
  return moveInProcess(terminal, settings, accountId, to).catch(
    only(DirectoryInUseError, () => moveThroughServer(terminal, settings, accountId, to)),
  )
}

async function moveInProcess(terminal: Terminal, settings: Settings, accountId: string, to: string): Promise<string> {
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const app = await createApp(settings, publicUrl, openLog(settings.LOG_LEVEL))
  const close = lazy(() => app.close())
  terminal.onStop(close)
  try {
    return (await retryWhileBusy(() => app.advanceClock(accountId, to))).to
  } finally {
    await close()
  }
}

/** Retries while another advance holds the clock. A crashed process holds it until its lease ends. */
async function retryWhileBusy<Result>(move: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + BUSY_MS
  for (;;) {
    try {
      return await move()
    } catch (error) {
      if (!(error instanceof ClockBusyError) || performance.now() > until) throw error
    }
    await delay(POLL_MS)
  }
}

async function moveThroughServer(
  terminal: Terminal,
  settings: Settings,
  accountId: string,
  to: string,
): Promise<string> {
  return withDatabase(settings, async (database) => {
    terminal.onStop(() => stopAdvance(database, accountId))
    await requestAdvance(database, accountId, to)
    const until = performance.now() + BUSY_MS
    for (;;) {
      const { state, shown } = await requestState(database, accountId)
      if (state === 'ended') return shown
      if (state === 'lost')
        throw new SettingError(
          `Lost the connection to the server that was moving the clock, which now shows ${shown}. Run this again.`,
        )
      if (state === 'requested' && performance.now() > until) {
        await dropRequest(database, accountId)
        throw new SettingError(
          'The running server did not move the clock: it is already being moved, or the server is stopping.',
        )
      }
      await delay(POLL_MS)
    }
  })
}
