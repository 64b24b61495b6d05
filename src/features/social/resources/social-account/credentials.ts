import { z } from 'zod'
import { invalid } from '../../../../contract/declarations/errors.ts'
import { structure, text, webAddress } from '../../../../contract/declarations/kinds.ts'
import type { Context } from '../../../../records/context.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { Vault } from '../../../../records/services.ts'
import type { Credentials, Login } from '../../providers/provider.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import type { SocialAccountRow } from './social-account.ts'

const PURPOSE = 'social credentials'
const MAX_KEYS = 20
const MAX_KEY = 40
const MAX_VALUE = 4_000

const CredentialsSchema = z.record(
  z.string().min(1, 'has a blank key').max(MAX_KEY, `has a key over ${MAX_KEY} characters`),
  z.string().max(MAX_VALUE, `is too long (maximum is ${MAX_VALUE} characters)`),
)

/** The field for credentials in a request body. They are stored encrypted, and no response contains them. */
export const CREDENTIALS = structure<Credentials>(
  'object',
  CredentialsSchema,
  'Secrets of the platform, stored encrypted and never shown. Without them, a person allows access at connect_url. In the sandbox the token works connects; invalid, expires, refuses and flaky simulate failures',
  { token: 'works' },
  { max: MAX_KEYS },
).nullable('none')

export const REDIRECT_URL = webAddress(
  'URL to send the person to after allowing access, with social_account and status added to its query',
  'https://shop.example/settings/social',
).nullable('a hosted page')

/** Names with a leading @ are accepted, too. */
export const USERNAME = text('Name of the account on the platform; only that account can be connected', {
  max: 100,
  pattern: /^@?[A-Za-z0-9][A-Za-z0-9._@-]*$/,
  says: 'can contain only letters, digits, dots, hyphens and underscores',
  example: 'adasbooks',
}).nullable('any account')

export function sealed(vault: Vault, credentials: Credentials): string {
  return vault.seal(PURPOSE, JSON.stringify(credentials))
}

/** Returns the offered credentials, which have to be checked, if there are any; otherwise those in use. */
export function credentialsOf(
  vault: Vault,
  { offered_credentials, sealed_credentials }: Pick<SocialAccountRow, 'offered_credentials' | 'sealed_credentials'>,
): Credentials {
  const text = offered_credentials ?? sealed_credentials
  return text === null ? {} : (JSON.parse(vault.open(PURPOSE, text)) as Credentials)
}

type LoginAccount = Pick<
  SocialAccountRow,
  'platform' | 'id' | 'username' | 'offered_credentials' | 'sealed_credentials'
>

type LoginContext = Pick<Context, 'services' | 'publicUrl' | 'test'>

/** Returns the login of an account in the form that providers use. */
export function loginOf({ services, publicUrl, test }: LoginContext, account: LoginAccount): Login {
  const { platform, id, username } = account
  return { platform, id, username, publicUrl, test, credentials: credentialsOf(services.vault, account) }
}

/** Returns a username in its stored form, without a leading @. */
export function plainUsername(given: string): string {
  return given.replace(/^@/, '')
}

/** Returns the key by which usernames on one platform are compared. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/** Returns another account that has this username on the platform, or null. */
export async function accountNamed(
  context: Context,
  platform: PlatformName,
  username: string,
  except = '',
): Promise<string | null> {
  const named = rowsOf(context, 'social_accounts').select('id').where('platform', '=', platform)
  const other = await named
    .where('username_key', '=', usernameKey(username))
    .where('id', '!=', except)
    .executeTakeFirst()
  return other?.id ?? null
}

/** Throws a 422 when another account of the shop has the username. */
export async function requireFreeUsername(context: Context, platform: PlatformName, username: string): Promise<void> {
  if (await accountNamed(context, platform, username)) throw invalid({ username: ['has already been taken'] })
}
