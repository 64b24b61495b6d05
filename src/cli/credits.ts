import { bookCredits } from '../resources/company/account/credit-ledger.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { UsageError } from './exit-codes.ts'
import { onlyAccount } from './only-account.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { inColumns, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import { withPipeline } from './with-pipeline.ts'

export const USAGE = `Shows and adds credits, whether or not a server is running. Set MONTHLY_CREDITS to grant credits every month.

  npm run credits -- add ACCOUNT NUMBER [--reason TEXT]    adds credits
  npm run credits -- show ACCOUNT                          shows the balance, and its latest changes

ACCOUNT is an id or a subdomain. The account sees TEXT.`

const OPTIONS = { reason: 'a few words for the account' }
const MOST_ADDED = 1_000_000_000
const MAX_REASON = 200
const SHOWN = 50

export async function run(terminal: Terminal): Promise<number> {
  const { run, args } = actionOf(terminal.args, { add, show }, USAGE)
  const { words, options } = readOptions(args, OPTIONS, USAGE)
  const [account, ...more] = words
  if (account === undefined) throw new UsageError('Name the account by its id or subdomain.', USAGE)
  const number = run === add ? more.shift() : undefined
  refuseWords(more, USAGE)
  const settings = readSettings(terminal.environment)
  if (run === show) return show(terminal, settings, account)
  return add(terminal, settings, { account, delta: countOf(number), reason: reasonOf(options.reason) })
}

interface Addition {
  account: string
  delta: number
  reason: string
}

async function add(terminal: Terminal, settings: Settings, { account, delta, reason }: Addition): Promise<number> {
  const line = await withPipeline(settings, async ({ database, pipeline }) => {
    const { id, subdomain } = await onlyAccount(database, account)
    const caller = { kind: 'provider', accountId: id, provider: 'operator' } as const
    const change = { kind: 'added', delta, reason, reference: null, reservation: null } as const
    const entry = await pipeline.visits.act(caller, [], (context) => bookCredits(context, change))
    return `${subdomain} has ${entry!.balance_after} credits.`
  })
  terminal.print(line)
  return 0
}

async function show(terminal: Terminal, settings: Settings, given: string): Promise<number> {
  return withDatabase(settings, async (database) => {
    const { id } = await onlyAccount(database, given)
    const balance = database.read.selectFrom('accounts').select('credit_balance').where('id', '=', id)
    const entries = database.read.selectFrom('credit_entries').selectAll().where('account_id', '=', id)
    const rows = await entries.orderBy('id', 'desc').limit(SHOWN).execute()
    terminal.print(`${(await balance.executeTakeFirstOrThrow()).credit_balance} credits`)
    const cells = rows.map(({ created_at, kind, delta, balance_after, reason, reference, run }) => {
      const change = delta > 0 ? `+${delta}` : String(delta)
      return [created_at, kind, change, `→ ${balance_after}`, reason, reference ?? '', run ?? '']
    })
    for (const line of inColumns(cells)) terminal.print(line)
    return 0
  })
}

function countOf(text = ''): number {
  const count = Number(text)
  if (/^\d{1,10}$/.test(text) && count >= 1 && count <= MOST_ADDED) return count
  throw new UsageError(`NUMBER needs a whole number from 1 to ${MOST_ADDED}, not "${text}".`)
}

function reasonOf(text = 'Added by the operator'): string {
  const reason = text.trim()
  if (reason !== '' && reason.length <= MAX_REASON && !/\p{Cc}/u.test(reason)) return reason
  throw new UsageError(`--reason needs 1 to ${MAX_REASON} characters in one line.`)
}
