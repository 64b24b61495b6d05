import type { Database } from '../database/database.ts'
import type { Social } from '../outside/social/provider.ts'
import type { Tables } from '../resources/tables.ts'
import type { Gauge } from './metrics.ts'

const HELP = 'Social accounts whose network no longer takes the version of its API that this service asks for'

/** How many accounts wait because a network has ended a version. */
export async function endedVersions(
  { read }: Pick<Database<Tables>, 'read'>,
  { apiVersions }: Pick<Social, 'apiVersions'>,
): Promise<Gauge[]> {
  const counted = await read
    .selectFrom('social_accounts')
    .select(['platform', 'ended_version'])
    .select(({ fn }) => fn.countAll<number>().as('accounts'))
    .where('ended_version', 'is not', null)
    .groupBy(['platform', 'ended_version'])
    .execute()
  return apiVersions.map(({ platform, version }) => {
    const found = counted.find((one) => one.platform === platform && one.ended_version === version)
    const labels = { platform, version }
    return { name: 'social_accounts_version_ended', help: HELP, value: Number(found?.accounts ?? 0), labels }
  })
}
