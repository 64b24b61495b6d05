import { loadSecret } from '../access/secret.ts'
import { TOKEN_RIGHTS, type TokenRight } from '../contract/declarations/caller.ts'
import { createToken, deleteToken, listTokens } from '../resources/dashboard/api-token/issue.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings, SettingError, type Settings } from '../settings/config.ts'
import { publicUrlOf } from './address.ts'
import { UsageError } from './exit-codes.ts'
import { clientLines } from './greeting.ts'
import { requireOwner } from './only-account.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { printRows, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

export const USAGE = `Manages API tokens, whether or not a server is running.

  npm run token -- create [NAME] [--account SUBDOMAIN] [--right RIGHT] [CAPS]
                                                creates a token and shows it once
  npm run token -- list [--account SUBDOMAIN]   lists tokens, never their values
  npm run token -- delete ID                    revokes a token at once

RIGHT is what the token can do: write (everything its user can do; the default), propose (read, and create plans that a person
applies with npm run plans) or read. CAPS limit what it may use in a day of UTC: --credits NUMBER, --emails NUMBER, and --refunds AMOUNT
in minor units of the account's currency.`

const CAP_OPTIONS = {
  credits: 'the credits that it may spend in a day',
  emails: 'the e-mails that it may cause in a day',
  refunds: 'the amount that it may refund in a day, in minor units',
}
const OPTIONS = { account: 'the subdomain of an account', right: TOKEN_RIGHTS.join(', '), ...CAP_OPTIONS }

export async function run(terminal: Terminal): Promise<number> {
  const { run, args: rest } = actionOf(terminal.args, { create, list, delete: remove }, USAGE)
  const { words, account, right, caps } = readArguments(rest)
  const settings = readSettings(terminal.environment)
  if (run === list) refuseWords(words, USAGE)
  if (run === remove && words.length === 0) throw new UsageError('Give the id of the token to delete.', USAGE)
  return withDatabase(settings, (database) => run({ terminal, settings, database, words, account, right, caps }))
}

interface TokenRequest {
  terminal: Terminal
  settings: Settings
  database: ShopDatabase
  words: string[]
  account: string | undefined
  right: TokenRight
  caps: Record<keyof typeof CAP_OPTIONS, number | undefined>
}

async function create({ terminal, settings, database, words, account, right, caps }: TokenRequest): Promise<number> {
  const owner = await requireOwner(database, account)
  const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
  const { id, value } = await createToken(database, secret, owner, {
    name: words.join(' ') || 'API token',
    right,
    caps,
  })
  terminal.complain(`Made ${id}. It is shown only now:`)
  terminal.print(value)
  terminal.complain(['', ...clientLines(await publicUrlOf(settings))].join('\n'))
  return 0
}

async function list({ terminal, database, account }: TokenRequest): Promise<number> {
  const owner = account === undefined ? undefined : await requireOwner(database, account)
  const rows = (await listTokens(database, owner?.accountId)).map((one) => [
    one.id,
    one.name,
    `…${one.last_four}`,
    one.account,
    one.creator,
    `may ${one.right}`,
    `made ${one.created_at}`,
    one.last_used_at ? `used ${one.last_used_at}` : 'never used',
  ])
  printRows(terminal, rows, 'There are no tokens.')
  return 0
}

async function remove({ terminal, database, words }: TokenRequest): Promise<number> {
  const id = words.join(' ')
  if (await deleteToken(database, id)) {
    terminal.print(`Deleted ${id}.`)
    return 0
  }
  throw new SettingError(`There is no token ${id}; npm run token -- list shows their ids.`)
}

function readArguments(args: string[]) {
  const { words, options } = readOptions(args, OPTIONS, USAGE)
  const right = TOKEN_RIGHTS.find((one) => one === (options.right ?? 'write'))
  if (right === undefined) throw new UsageError(`--right must be one of ${TOKEN_RIGHTS.join(', ')}.`)
  const caps = {
    credits: capOf(options, 'credits'),
    emails: capOf(options, 'emails'),
    refunds: capOf(options, 'refunds'),
  }
  return { words, account: options.account, right, caps }
}

function capOf(options: Partial<Record<string, string>>, name: keyof typeof CAP_OPTIONS): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${name} must be a whole number from 0 to 999999999.`)
  return Number(given)
}
