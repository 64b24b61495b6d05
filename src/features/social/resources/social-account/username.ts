import { invalid } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'

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
