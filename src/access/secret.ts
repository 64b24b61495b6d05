import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../database/database.ts'
import type { Db, ShopDatabase } from '../resources/tables.ts'
import { makeDirectory, syncDirectory } from '../runtime/make-directory.ts'

/** Returns the secret for hashing tokens, from the settings or a file. Throws DatabaseStartError if the database has another secret. */
export async function loadSecret(
  database: ShopDatabase,
  directory: string,
  setting: string | undefined,
): Promise<string> {
  const before = await knownFingerprint(database.read)
  const secret = setting ?? (await secretFile(directory, before === null))
  const fingerprint = createHash('sha256').update(`fingerprint ${secret}`).digest('hex').slice(0, 16)
  const known = before ?? (await rememberFingerprint(database, fingerprint))
  if (known === fingerprint) return secret
  throw new DatabaseStartError(
    `The secret key does not match this database, so no API token would work. ${howToRestore(directory)}`,
  )
}

async function knownFingerprint(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'secret_fingerprint')
    .executeTakeFirst()
  return row?.value ?? null
}

/** Stores the secret's fingerprint, unless another replica was first. Returns the stored fingerprint. */
function rememberFingerprint(database: ShopDatabase, value: string): Promise<string> {
  return database.transaction(async ({ db }) => {
    const known = await knownFingerprint(db)
    if (known === null) await db.insertInto('settings').values({ name: 'secret_fingerprint', value }).execute()
    return known ?? value
  })
}

function howToRestore(directory: string): string {
  return `Set SECRET_KEY to that one, or restore ${join(directory, 'secret.key')}.`
}

/** A missing secret file is created only for a new database, because a used database needs its original secret. */
async function secretFile(directory: string, mayMake: boolean): Promise<string> {
  const path = join(directory, 'secret.key')
  if (!mayMake && !existsSync(path))
    throw new DatabaseStartError(
      `The secret key ${path} is missing, but the database was set up with one. ${howToRestore(directory)}`,
    )
  const text = await readFile(path, 'utf8')
    .catch((error) => (mayMake ? makeSecretFile(directory, path) : Promise.reject(error)))
    .catch(({ message }: Error) => {
      const sentence = `The secret key ${path} cannot be read or created (${message}). Fix that, or set SECRET_KEY.`
      throw new DatabaseStartError(sentence)
    })
  if (text.trim() === '')
    throw new DatabaseStartError(`The secret key ${path} is empty. Restore its content, or set SECRET_KEY.`)
  // The file must be on disk before its fingerprint is in the database, also if an earlier start crashed after creating the file.
  if (mayMake) await syncDirectory(directory)
  return text.trim()
}

async function makeSecretFile(directory: string, path: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}`
  await makeDirectory(directory)
  await writeFile(temporary, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  await link(temporary, path).catch(() => {})
  await rm(temporary)
  return readFile(path, 'utf8')
}
