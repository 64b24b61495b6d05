import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Feature } from '../../feature.ts'
import type { Gauge } from '../../monitoring/metrics.ts'
import { partOfTable } from '../../resources/dashboard/account-export/parts.ts'
import type { Tables } from '../../resources/tables.ts'
import { SOCIAL } from './demo.ts'
import { socialPages } from './pages/routes.ts'
import { COUNTS, type Social, type SocialServices } from './providers/provider.ts'
import { createSocial } from './providers/registry.ts'
import { revokeAll } from './resources/social-account/access.ts'
import { SocialPost } from './resources/social-post/social-post.ts'
import { socialResources } from './resources.ts'

const EXPIRES = { keptMs: 0, since: 'expires_at' }
/** The use of files by posts that are scheduled or being published. */
const IN_PLANNED_POSTS = {
  noun: SocialPost,
  name: 'content',
  words: 'the scheduled social post',
  when: sql<boolean>`status in ('scheduled', 'publishing')`,
}

/** Publishing on social networks, with comments and figures. */
export const social: Feature = {
  name: 'social',
  resources: socialResources,
  after: 'web_map',
  services: ({ settings, vault, web, domains, pretending }): SocialServices => ({
    social: createSocial({
      ...{ pretending, web: web.outside, domains, settings },
      secretOf: (purpose) => Buffer.from(vault.derive('networks', purpose), 'base64url'),
    }),
  }),
  fileColumns: [
    { ...IN_PLANNED_POSTS, column: 'media' },
    { ...IN_PLANNED_POSTS, column: 'overrides' },
  ],
  retention: [
    { table: 'social_authorizations', ...EXPIRES, key: ['account_id', 'id'] },
    { table: 'social_apps', ...EXPIRES, key: ['account_id', 'server'] },
  ],
  references: { 'social_deliveries.social_post': 'social_posts' },
  beforeDeletion: [revokeAll],
  exportedTables: [
    partOfTable(
      'social_figures',
      ['social_account', 'social_post', 'date'],
      [...COUNTS, 'followers', 'followers_gained'],
    ),
  ],
  gauges: (database, { social }) => endedVersions(database, social),
  routes: socialPages,
  dashboard: () => import('./dashboard.ts').then(({ socialDashboard }) => socialDashboard),
  demo: SOCIAL,
}

const HELP = 'Social accounts whose network no longer takes the version of its API that this service asks for'

/** Counts the social accounts that wait because their network has ended the API version in use. */
async function endedVersions(
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
