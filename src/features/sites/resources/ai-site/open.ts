import { isUser } from '../../../../contract/declarations/caller.ts'
import { ApiError } from '../../../../contract/declarations/errors.ts'
import { actorsOf } from '../../../../contract/declarations/rights.ts'
import { rolesOf } from '../../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../../records/context.ts'
import type { AiSiteRow } from './ai-site.ts'
import { isOpenTo } from './served.ts'

type SiteAccess = Pick<AiSiteRow, 'access_mode' | 'creator'>

/** Throws `permission_denied` unless all people behind a call may visit the site: for a plan, its author and the person who applies it. */
export function requireOpen({ caller }: Context, site: SiteAccess): void {
  if (!isUser(caller)) return
  const users = actorsOf(caller).map(({ userId }) => userId)
  if (isOpenTo(site, { users, roles: rolesOf(caller) })) return
  const who = site.access_mode === 'me_only' ? 'the person who created it' : 'owners and admins'
  throw new ApiError(
    'permission_denied',
    `Only ${who} can visit this site, and so change it: its access_mode is ${site.access_mode}. It can be deleted all the same.`,
  )
}
