import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken, newToken } from '../contract/values/token-format.ts'
import type { Vault } from '../records/services.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns a vault that encrypts with keys derived from the service's secret, one per purpose (HKDF, RFC 5869). */
export function vaultOf(secret: string): Vault {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, '', `shopwright ${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  const derive = (purpose: string, id: string) =>
    createHmac('sha256', keyOf(`derive ${purpose}`))
      .update(id)
      .digest('base64url')
  return {
    derive,
    matches(purpose, id, given) {
      const [right, other] = [Buffer.from(derive(purpose, id)), Buffer.from(given)]
      return right.length === other.length && timingSafeEqual(right, other)
    },
    newApiToken() {
      const value = newToken()
      return { value, hash: hashToken(value, secret) }
    },
    seal: (purpose, text) => seal(keyOf(`seal ${purpose}`), text),
    open: (purpose, sealed) => open(keyOf(`seal ${purpose}`), sealed),
  }
}

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64')
}

function open(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}
