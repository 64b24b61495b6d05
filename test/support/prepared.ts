import { loadSecret } from '../../src/access/secret.ts'
import { withDatabase } from '../../src/cli/with-database.ts'
import { makeFirstAccount } from '../../src/resources/company/account/life/open.ts'
import { readSettings } from '../../src/settings/config.ts'
import type { Environment } from './server.ts'
import { copyTemplate } from './templates.ts'

/**
 * Creates the results of a first start without a server: the schema, the secret key and the first account. Returns its token.
 * With DATABASE_URL, the database must be empty or migrated.
 */
export async function prepareShop(environment: Environment): Promise<string> {
  const settings = readSettings(environment)
  if (!settings.DATABASE_URL) await copyTemplate(settings.DATA_DIR)
  const first = await withDatabase(
    settings,
    async (database) => {
      const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
      return makeFirstAccount(database, secret, settings.BOOTSTRAP_TOKEN, {})
    },
    { make: true },
  )
  return first!.token ?? settings.BOOTSTRAP_TOKEN!
}
