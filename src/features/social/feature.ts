import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Feature } from '../../feature.ts'
import { listed } from '../../format/lists.ts'
import type { Gauge } from '../../monitoring/metrics.ts'
import type { Context } from '../../records/context.ts'
import { partOfTable } from '../../resources/dashboard/account-export/parts.ts'
import type { Connected } from '../../resources/dashboard/service-connections/service-connections.ts'
import { OF_TEST_ACCOUNTS } from '../../resources/dashboard/service-connections/show.ts'
import type { Tables } from '../../resources/tables.ts'
import { SOCIAL } from './demo.ts'
import { socialPages } from './pages/routes.ts'
import type { ApiVersion, Social, SocialServices } from './providers/provider.ts'
import { createSocial } from './providers/registry.ts'
import { revokeAll } from './resources/social-account/access.ts'
import { stepsOf } from './resources/social-account/connect.ts'
import { platformsWithEndedVersion } from './resources/social-account/version-ended.ts'
import { PLATFORMS } from './resources/social-platform/platforms.ts'
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
  attention: [
    {
      kind: 'social_accounts_to_reconnect',
      // The statuses are literals, because only then does their partial index apply.
      rows: (accountId) => sql`from social_accounts where account_id = ${accountId} and status in ('expired', 'error')`,
    },
  ],
  connections: [networkConnections],
  beforeDeletion: [revokeAll],
  exportedTables: [
    partOfTable(
      'social_figures',
      ['social_account', 'social_post', 'date'],
      ['impressions', 'reach', 'likes', 'comments', 'shares', 'clicks', 'saves', 'followers', 'followers_gained'],
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

const NOT_SET_UP = 'It needs an app that whoever runs the service registers at the network.'

/** Returns one entry for all social networks in the same state. A network that can be set up or is outdated has its own entry. */
async function networkConnections(context: Context): Promise<Connected[]> {
  const { services, test } = context
  const named = PLATFORMS.map(({ platform, name }) => ({
    ...{ platform, name },
    provider: services.social.providerFor({ platform, test }),
  }))
  const ended = await platformsWithEndedVersion(context)
  const outdated = named.filter(({ platform }) => ended.has(platform))
  const ready = named.filter(
    ({ platform, provider }) => provider !== null && provider.simulation === null && !ended.has(platform),
  )
  const simulated = named.filter(({ provider }) => provider !== null && provider.simulation !== null)
  const missing = named.filter(({ provider }) => provider === null)
  const canBeSet = missing.filter(({ platform }) => services.social.setUpOf(platform) !== null)
  const cannot = missing.filter((one) => !canBeSet.includes(one))
  const line = (
    some: typeof named,
    state: Connected['state'],
    words: string,
    for_operator: string[] = [],
  ): Connected[] =>
    some.length === 0 ? [] : [{ what: listed(some.map(({ name }) => name)), state, words, set_up: [], for_operator }]
  return [
    ...outdated.map(({ name, provider }) => outdatedLine(name, provider?.apiVersion)),
    ...line(ready, 'ready', 'Posts are published on the network.'),
    ...line(
      simulated,
      'simulated',
      test ? OF_TEST_ACCOUNTS : 'Posts stay on this service, and comments and figures are invented.',
      test ? [] : ['Turn SIMULATED_PROVIDERS off, and connect a social account.'],
    ),
    ...canBeSet.flatMap((one) => line([one], 'missing', NOT_SET_UP, stepsOf(context, one.platform))),
    ...line(cannot, 'missing', 'These networks cannot be connected yet.'),
  ]
}

function outdatedLine(what: string, { version = '', setting = '' }: Partial<ApiVersion> = {}): Connected {
  return {
    ...{ what, state: 'outdated' },
    words: `${what} no longer takes version ${version} of its API, so posts wait.`,
    set_up: [],
    for_operator: [
      `Install a newer release, or set ${setting} to a version that ${what} takes, and restart the service.`,
    ],
  }
}
