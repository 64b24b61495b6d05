import { createHmac, randomBytes } from 'node:crypto'

/** What the vault seals secrets of endpoints for. */
export const SECRET_PURPOSE = 'webhook secret'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret of an endpoint: `whsec_` and 32 random bytes in Base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** What is signed: the same id and body at every attempt, and the time of this one in whole seconds. */
export interface Signed {
  id: string
  timestamp: number
  body: string
}

/**
 * The signatures of the Standard Webhooks specification, one for each secret. Several are for the time in which a receiver
 * changes from one secret to another.
 */
export function standardSignatures(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}

/** The signature of the body alone, keyed with the secret as it is shown. */
export function bodySignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}
