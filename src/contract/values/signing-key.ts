import { createPrivateKey, type KeyObject } from 'node:crypto'

/** A private key that signs tokens (JWS), and how. */
export interface SigningKey {
  algorithm: 'EdDSA' | 'ES256'
  key: KeyObject
}

/** An Ed25519 key as some providers hand it out: 32 bytes of it, and 32 of its public key, in Base64. */
const ED25519_BYTES = 64

/**
 * Reads the secret of an API key: an Ed25519 key of 64 bytes in Base64, or a PEM of an Ed25519 or P-256 key, whose lines may be
 * divided by `\n`, as one line of a file of settings has them. Null for anything else.
 */
export function readSigningKey(secret: string): SigningKey | null {
  try {
    const key = secret.includes('-----BEGIN') ? createPrivateKey(secret.replaceAll('\\n', '\n')) : fromBase64(secret)
    if (key?.asymmetricKeyType === 'ed25519') return { algorithm: 'EdDSA', key }
    const isP256 = key?.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    return key && isP256 ? { algorithm: 'ES256', key } : null
  } catch {
    return null
  }
}

function fromBase64(secret: string): KeyObject | null {
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length !== ED25519_BYTES || bytes.toString('base64') !== secret) return null
  const [d, x] = [bytes.subarray(0, 32).toString('base64url'), bytes.subarray(32).toString('base64url')]
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}
