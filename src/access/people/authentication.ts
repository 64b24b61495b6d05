import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import type { Vault } from '../../records/services.ts'
import { hashOfSecret } from '../../resources/company/user/password-link.ts'
import type { ShopDatabase } from '../../resources/tables.ts'
import { adapterOver } from './adapter.ts'
import { ADDRESS_HEADER } from './client-headers.ts'
import { PASSWORD_LENGTHS, SESSION_SECONDS } from './limits.ts'
import type { CookieOptions } from './session-cookie.ts'

export interface AuthenticationParts {
  database: ShopDatabase
  vault: Vault
  cookie: CookieOptions
  publicUrl: string
  log: { error(details: object, message: string): void }
}

/** Configures the sign-in library. This module is imported on demand, because its import takes a tenth of a second. */
export function authenticationOf(parts: AuthenticationParts) {
  const { publicUrl, cookie, vault } = parts
  const hash = (secret: string) => hashOfSecret(vault, secret)
  const attributes = { secure: cookie.secure, httpOnly: true, sameSite: 'lax', path: '/' } as const
  return betterAuth({
    appName: 'Shopwright',
    baseURL: publicUrl,
    secret: vault.derive('people', 'cookies'),
    database: adapterOver(parts.database, hash),
    telemetry: { enabled: false },
    // Logs only the message, because the details may contain user input.
    logger: { level: 'error', log: (_level, message) => parts.log.error({}, `Signing in: ${message}`) },
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: attributes,
      cookies: { session_token: { name: cookie.name, attributes } },
      cookiePrefix: cookie.secure ? '__Host-shopwright' : 'shopwright',
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTHS.min,
      maxPasswordLength: PASSWORD_LENGTHS.max,
    },
    session: { ...SESSION_TABLE, expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    user: USER_TABLE,
    account: METHOD_TABLE,
    verification: {
      modelName: 'verifications',
      storeIdentifier: { hash: async (identifier) => hash(identifier) },
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    plugins: [passkeysAt(new URL(publicUrl))],
  })
}

export type Authentication = ReturnType<typeof authenticationOf>

function passkeysAt({ hostname, origin }: URL) {
  return passkey({
    rpName: 'Shopwright',
    rpID: hostname,
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    authentication: {
      // A passkey is the only factor, so the person must be verified: possession of the device is not enough.
      async afterVerification({ verification }) {
        if (!verification.authenticationInfo?.userVerified)
          throw new APIError('UNAUTHORIZED', { message: 'The device did not verify the user.' })
      },
    },
    schema: { passkey: PASSKEY_TABLE },
  })
}

const SESSION_TABLE = {
  modelName: 'sessions',
  fields: {
    userId: 'user_id',
    token: 'token_hash',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    expiresAt: 'expires_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
}

const USER_TABLE = {
  modelName: 'users',
  fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
}

const METHOD_TABLE = {
  modelName: 'sign_in_methods',
  fields: {
    userId: 'user_id',
    providerId: 'provider_id',
    accountId: 'provider_account',
    password: 'password_hash',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
}

const PASSKEY_TABLE = {
  modelName: 'passkeys',
  fields: {
    userId: 'user_id',
    publicKey: 'public_key',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
}
