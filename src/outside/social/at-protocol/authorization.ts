import type { Authorization } from '../provider.ts'
import { clientDocument } from './client-document.ts'
import type { OAuthParts } from './oauth-client.ts'

/** It is large, and many services never ask. */
const granting = () => import('./granting.ts')

/** The page of the account's server where a person allows access. */
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
