import { createHmac, randomBytes } from 'node:crypto'

/** The vault's purpose for the encrypted secrets of endpoints, which keeps them apart from its other encrypted values. */
export const SECRET_PURPOSE = 'webhook secret'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new signing secret for an endpoint: `whsec_` followed by 32 random bytes in Base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The content that is signed. The id and the body are the same for all attempts; the time is in whole seconds. */
export interface SignedContent {
  id: string
  timestamp: number
  body: string
}

/** Returns a signature (Standard Webhooks) for each secret. A receiver that changes its secret has two for a while. */
export function standardSignatures(secrets: readonly string[], { id, timestamp, body }: SignedContent): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}

/** Returns the signature of the body alone. The key is the text of the secret. */
export function bodySignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}
