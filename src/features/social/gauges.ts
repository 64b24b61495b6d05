import type { Database } from '../../database/database.ts'
import type { Gauge } from '../../monitoring/metrics.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Social } from './providers/provider.ts'

const HELP = 'Social accounts whose network no longer takes the version of its API that this service asks for'

/** Counts the social accounts that wait because their network has ended the API version in use. */
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
