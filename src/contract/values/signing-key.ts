import { createPrivateKey, type KeyObject } from 'node:crypto'

export interface SigningKey {
  algorithm: 'EdDSA' | 'ES256'
  key: KeyObject
}

/** The size of Ed25519 keys that some providers issue in Base64: a private key and a public key of 32 bytes each. */
const ED25519_BYTES = 64

/**
 * Parses the secret of an API key: Base64 of a 64-byte Ed25519 key, or a PEM with an Ed25519 or P-256 key. Line breaks in the PEM may be
 * written `\n`, as in one-line settings. Returns null for anything else.
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
