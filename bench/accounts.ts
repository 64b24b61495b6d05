import { openDatabase } from '../src/database/open.ts'
import { allMigrations } from '../src/migrations.ts'
import { createAccount } from '../src/resources/company/account/life/open.ts'
import { createToken } from '../src/resources/dashboard/api-token/issue.ts'
import type { Tables } from '../src/resources/tables.ts'
import { SECRET } from './servers.ts'

/** Creates accounts while no server runs. Returns their tokens by account name. */
export async function makeAccounts(
  { directory, databaseUrl }: { directory: string; databaseUrl: string | undefined },
  wanted: readonly { name: string; tokens: number }[],
): Promise<Map<string, string[]>> {
  const database = await openDatabase<Tables>({ databaseUrl, directory, migrations: await allMigrations() })
  const made = new Map<string, string[]>()
  for (const { name, tokens } of wanted) {
    const owner = await createAccount(database, {
      name,
      subdomain: name,
      owner: { name, email: `${name}@example.com` },
    })
    const issued = Array.from({ length: tokens }, () => createToken(database, SECRET, owner, { name }))
    made.set(
      name,
      (await Promise.all(issued)).map(({ value }) => value),
    )
  }
  await database.close()
  return made
}
