import type { NetworkParts } from '../network.ts'
import type { Authorization, SocialProvider } from '../provider.ts'
import { clientDocument, clientKey, newRecent, type OAuthParts } from './oauth-client.ts'

type Parts = Pick<NetworkParts, 'web' | 'domains' | 'secretOf' | 'settings'>

const DIRECTORY = 'https://plc.directory'

/** Loads the module on first use, because the protocol's library is the largest of all, and many services never need it. */
const acting = () => import('./acting.ts')

/**
 * Supports Bluesky and all AT Protocol servers, with OAuth on the server's own page or with an app password. With an app
 * password, the session that it opens is stored.
 */
export function atProtocolProvider({ web, domains, secretOf, settings }: Parts): SocialProvider {
  const key = clientKey(secretOf('at-protocol client'))
  const parts = { web, domains, key, directory: settings.PLC_DIRECTORY_URL ?? DIRECTORY, recent: newRecent() }
  return {
    name: 'at-protocol',
    platforms: ['bluesky'],
    simulation: null,
    authorization: atProtocolAuthorization(parts),
    entry: [
      { name: 'identifier', label: 'Handle', secret: false, hint: 'Such as kestrel.bsky.social' },
      {
        name: 'password',
        label: 'App password',
        secret: true,
        hint: 'Made in Bluesky under Settings, Privacy and security, App passwords',
      },
      {
        name: 'service',
        label: 'Server',
        secret: false,
        optional: true,
        hint: 'Only if the account is not on bsky.social',
      },
    ],
    connect: async ({ login, signal }) => (await acting()).connect(parts, login, signal),
    renew: async ({ login, signal }) => (await acting()).renewed(parts, login, signal),
    needsRenewal: ({ session, access }) => session === undefined && access === undefined,
    revoke: async ({ login, signal }) => (await acting()).endAccess(parts, login, signal),
    publish: async (request) => (await acting()).publish(parts, request),
    sync: async (request) => (await acting()).sync(parts, request),
    comment: async (request) => (await acting()).comment(parts, request),
  }
}

/** Loads the module on first use, because its library is large and many services never need it. */
const granting = () => import('./oauth-session.ts')

function atProtocolAuthorization(parts: OAuthParts): Authorization {
  return {
    asks: [
      {
        name: 'identifier',
        label: 'Handle',
        secret: false,
        hint: 'Such as kestrel.bsky.social, or the address of its server',
      },
    ],
    begin: async (request) => (await granting()).begin(parts, request),
    finish: async (request) => (await granting()).finish(parts, request),
    document: ({ publicUrl, platform }) => clientDocument({ publicUrl, platform, key: parts.key }),
  }
}
