import { loadSecret } from '../access/secret.ts'
import { vaultOf } from '../access/vault.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { replacing } from '../errors.ts'
import { progressOf } from '../records/background/progress.ts'
import type { BackgroundRow } from '../records/background/row.ts'
import { resumeBackground, stopBackground } from '../records/background/state.ts'
import { openValues } from '../records/background/value.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { CommandError, UsageError } from './exit-codes.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { printRows, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

export const USAGE = `Shows background programs: programs that go over the rows of a list, batch by batch.

  npm run background -- list        lists them, newest first
  npm run background -- show ID     shows how far one is
  npm run background -- stop ID     stops one; what is done stays
  npm run background -- resume ID   lets one go on that was stopped, has failed or waits for an approval`

const LISTED = 100

export async function run(terminal: Terminal): Promise<number> {
  const { run, verb, args } = actionOf(terminal.args, { list, show, stop: change, resume: change }, USAGE)
  const [id, ...more] = readOptions(args, {}, USAGE).words
  if (run === list) refuseWords(id === undefined ? [] : [id, ...more], USAGE)
  else if (id === undefined) throw new UsageError(`Give the id of the background program to ${verb}.`, USAGE)
  refuseWords(more, USAGE)
  const settings = readSettings(terminal.environment)
  return withDatabase(settings, (database) => run({ terminal, settings, database, id: id ?? '', verb }))
}

interface BackgroundRequest {
  terminal: Terminal
  settings: Settings
  database: ShopDatabase
  id: string
  verb: string
}

async function list({ terminal, database }: BackgroundRequest): Promise<number> {
  const all = database.read.selectFrom('background_programs').selectAll()
  const rows = await all.orderBy('id', 'desc').limit(LISTED).execute()
  const lines = rows.map((row) => [row.id, row.state, `${row.place} of ${row.rows_count} rows`, row.created_at])
  printRows(terminal, lines, 'There are no background programs.')
  return 0
}

async function show({ terminal, settings, database, id }: BackgroundRequest): Promise<number> {
  const vault = vaultOf(await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY))
  const row = openValues(vault, await requireProgram(database, id))
  terminal.print([JSON.stringify(progressOf(row), null, 2), '', 'The program:', '', row.code.trimEnd()].join('\n'))
  return 0
}

/** Changes only the row in the database. The running server, or the next one to start, runs the remaining batches. */
async function change({ terminal, database, id, verb }: BackgroundRequest): Promise<number> {
  const { account_id: accountId, user_id: userId } = await requireProgram(database, id)
  const caller = { kind: 'session' as const, sessionId: 'terminal', accountId, userId, role: 'owner' as const }
  const row = await database
    .transaction(async ({ db }) => {
      const context = { db, accountId, caller }
      const found = await requireProgram({ read: db }, id)
      return verb === 'stop' ? stopBackground(context, found) : resumeBackground(context, found)
    })
    .catch(replacing(ApiError, ({ message }) => new CommandError('refused', message)))
  terminal.print(`${row.id} is ${row.state}: ${row.place} of ${row.rows_count} rows are done.`)
  return 0
}

async function requireProgram({ read }: Pick<ShopDatabase, 'read'>, id: string): Promise<BackgroundRow> {
  const row = await read.selectFrom('background_programs').selectAll().where('id', '=', id).executeTakeFirst()
  if (row) return row
  throw new CommandError('refused', `There is no background program ${id}; npm run background -- list shows their ids.`)
}
