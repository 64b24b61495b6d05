import { makeBackup } from '../backup/make.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { exitCode, UsageError } from './exit-codes.ts'
import { requireFolderFor } from './files.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

export const USAGE = `Backs up the service, whether or not its server is running.

  npm run backup -- FILE    writes the database, the secret key and the files to FILE, a tar archive

With DATABASE_URL, the database is backed up with pg_dump; this command then writes the secret key and the files.`

export async function run(terminal: Terminal): Promise<number> {
  const [file, ...more] = readOptions(terminal.args, {}, USAGE).words
  if (file === undefined) throw new UsageError('Name the file to write.', USAGE)
  refuseWords(more, USAGE)
  const settings = readSettings(terminal.environment)
  const engine = settings.DATABASE_URL ? 'postgres' : 'sqlite'
  const target = await requireFolderFor(terminal, file)
  const { has_key: hasKey, files } = await makeBackup({ directory: settings.DATA_DIR, engine }, target)
  const parts = [engine === 'sqlite' && 'the database', hasKey && 'the secret key', `${files} files`].filter(Boolean)
  terminal.print(`Wrote ${parts.join(', ')} to ${target}.`)
  for (const line of omittedParts(settings, { file, hasKey })) terminal.print(line)
  return exitCode('done')
}

function omittedParts(settings: Settings, { file, hasKey }: { file: string; hasKey: boolean }): string[] {
  const lines: string[] = []
  if (settings.DATABASE_URL)
    lines.push(
      'The database is not included. Back it up first, so that every file it refers to is in this backup:',
      `  pg_dump --format=custom --file=${file}.dump "$DATABASE_URL"`,
    )
  if (!hasKey) lines.push('The secret key is not included: keep the value of SECRET_KEY. Without it, no token works.')
  if (settings.S3_ENDPOINT) lines.push('Files in the bucket are not included: turn on versioning or replication there.')
  return lines
}
