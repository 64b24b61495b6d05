import type { Authorization } from '../provider.ts'
import { clientDocument } from './client-document.ts'
import type { OAuthParts } from './oauth-client.ts'

/** This module is loaded on first use, because its library is large and many services never need it. */
const granting = () => import('./granting.ts')

/** Authorization on the page of the account's server. */
export function atProtocolAuthorization(parts: OAuthParts): Authorization {
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
