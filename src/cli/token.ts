import { findOwner } from '../access/accounts.ts'
import { loadSecret } from '../access/secret.ts'
import { createToken, deleteToken, listTokens } from '../access/tokens.ts'
import { readSettings, SettingError, type Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { loadMigrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import type { Tables } from '../resources/tables.ts'
import { publicUrlOf } from './address.ts'
import { clientLines } from './greeting.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Manages API tokens, whether a server is running or not.

  npm run token -- create [NAME] [--account SUBDOMAIN]   makes a token and shows it once
  npm run token -- list [--account SUBDOMAIN]            lists tokens, never their values
  npm run token -- delete ID                             revokes a token at once`

/** `token create|list|delete`. */
export async function token(terminal: Terminal): Promise<number> {
  const [verb, ...rest] = terminal.args
  const { words, account } = readArguments(rest)
  const settings = readSettings(terminal.environment)
  const run = { create, list, delete: remove }[verb ?? '']
  const expected = { list: 0, delete: 1 }[verb ?? ''] ?? words.length
  if (!run || words.length !== expected) {
    terminal.complain(USAGE)
    return 1
  }
  const database = await openBeside(settings)
  try {
    return await run({ terminal, settings, database, words, account })
  } finally {
    await database.close()
  }
}

/** Opens the database for a few short transactions, whether a server runs on it or not. */
export async function openBeside(settings: Settings): Promise<Database<Tables>> {
  return openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await loadMigrations(new URL('../database/migrations/', import.meta.url)),
    shared: true,
  })
}

interface Request {
  terminal: Terminal
  settings: Settings
  database: Database<Tables>
  words: string[]
  account: string | undefined
}

async function create({ terminal, settings, database, words, account }: Request): Promise<number> {
  const owner = await findOwner(database, account)
  if (!owner) return complainOfAccount(terminal, account)
  const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
  const { id, value } = await createToken(database, secret, owner, { name: words.join(' ') || 'API token' })
  terminal.complain(`Made ${id}. Its value is shown only now:`)
  terminal.print(value)
  terminal.complain(['', ...clientLines(await publicUrlOf(settings))].join('\n'))
  return 0
}

async function list({ terminal, database, account }: Request): Promise<number> {
  const owner = account === undefined ? undefined : await findOwner(database, account)
  if (account !== undefined && !owner) return complainOfAccount(terminal, account)
  const rows = (await listTokens(database, owner?.accountId)).map((one) => [
    one.id,
    one.name,
    `…${one.last_four}`,
    one.account,
    one.creator,
    `made ${one.created_at}`,
    one.last_used_at ? `used ${one.last_used_at}` : 'never used',
  ])
  for (const line of inColumns(rows)) terminal.print(line)
  if (rows.length === 0) terminal.complain('There are no tokens.')
  return 0
}

async function remove({ terminal, database, words }: Request): Promise<number> {
  const [id] = words as [string]
  if (await deleteToken(database, id)) {
    terminal.print(`Deleted ${id}.`)
    return 0
  }
  terminal.complain(`There is no token ${id}; npm run token -- list shows their ids.`)
  return 1
}

function complainOfAccount(terminal: Terminal, account: string | undefined): number {
  terminal.complain(
    account === undefined
      ? 'There is no account yet: npm start makes the first one.'
      : `There is no account with the subdomain ${account}.`,
  )
  return 1
}

function readArguments(args: string[]): { words: string[]; account: string | undefined } {
  const at = args.indexOf('--account')
  const words = at < 0 ? args : args.toSpliced(at, 2)
  const unknown = words.find((word) => word.startsWith('-'))
  if (unknown !== undefined) throw new SettingError(`There is no option ${unknown}.\n\n${USAGE}`)
  if (at >= 0 && args[at + 1] === undefined) throw new SettingError('--account needs the subdomain of an account.')
  return { words, account: at < 0 ? undefined : args[at + 1] }
}

function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
