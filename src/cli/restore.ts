import { resolve } from 'node:path'
import { restoreBackup } from '../backup/restore.ts'
import { allMigrations } from '../migrations.ts'
import { readSettings } from '../settings/config.ts'
import { exitCode, UsageError } from './exit-codes.ts'
import { requireFile } from './files.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

export const USAGE = `Restores a backup into an empty DATA_DIR that no server is using.

  npm run restore -- FILE    checks a backup made by npm run backup, then unpacks it

With DATABASE_URL, fill the database with pg_restore first; this command then restores the secret key and the files:

  pg_restore --no-owner --dbname="$DATABASE_URL" FILE.dump`

export async function run(terminal: Terminal): Promise<number> {
  const [file, ...more] = readOptions(terminal.args, {}, USAGE).words
  if (file === undefined) throw new UsageError('Name the backup to restore.', USAGE)
  refuseWords(more, USAGE)
  const { DATA_DIR: directory, DATABASE_URL, SECRET_KEY } = readSettings(terminal.environment)
  const manifest = await restoreBackup(await requireFile(terminal, file), {
    directory,
    engine: DATABASE_URL ? 'postgres' : 'sqlite',
    migrations: await allMigrations(),
  })
  terminal.print(`Restored the backup of ${manifest.made_at} into ${resolve(directory)}. Next: npm start.`)
  terminal.print(
    DATABASE_URL
      ? 'Start it with OUTBOUND_DISABLED=true first: it then sends no e-mails, webhooks, posts or charges.'
      : 'It will send no e-mails, webhooks, posts or charges until you run npm run go-live.',
  )
  if (!manifest.has_key && SECRET_KEY === undefined)
    terminal.print('It contains no secret key: set SECRET_KEY to the one that was in use.')
  return exitCode('done')
}
