import type { Role } from '../../../../contract/declarations/caller.ts'
import { include } from '../../../../contract/declarations/role-rights.ts'
import { compileOnce } from '../../../../database/compile-once.ts'
import type { Db, Tables } from '../../../../resources/tables.ts'
import type { SiteFileRow } from '../../tables.ts'

const COLUMNS = [
  'account_id',
  'id',
  'subdomain',
  'verified_domain',
  'access_mode',
  'creator',
  'show_referral_badge',
  'current_build',
] as const

export type ServedSite = Pick<Tables['sites'], (typeof COLUMNS)[number]>

const bySubdomain = compileOnce((db: Db, subdomain: string) =>
  db.selectFrom('sites').select(COLUMNS).where('subdomain', '=', subdomain),
)
const byDomain = compileOnce((db: Db, domain: string) =>
  db.selectFrom('sites').select(COLUMNS).where('verified_domain', '=', domain),
)
const byId = compileOnce((db: Db, id: string) => db.selectFrom('sites').select(COLUMNS).where('id', '=', id))
const beingDeleted = compileOnce((db: Db, id: string) =>
  db.selectFrom('account_deletions').select('id').where('id', '=', id),
)

/** Finds a site of any account by subdomain, verified domain or id; null while the account is being deleted. */
export async function findServed(
  db: Db,
  by: { subdomain: string } | { domain: string } | { id: string },
): Promise<ServedSite | null> {
  const [site] = await ('subdomain' in by
    ? bySubdomain(db, by.subdomain)
    : 'domain' in by
      ? byDomain(db, by.domain)
      : byId(db, by.id))
  if (!site) return null
  const [deletion] = await beingDeleted(db, site.account_id)
  return deletion ? null : site
}

/** Finds a file by its path. The query includes the account and the build, so that a host never serves files of another site. */
const fileAt = compileOnce((db: Db, account: string, build: string, path: string) =>
  db
    .selectFrom('site_files')
    .selectAll()
    .where('account_id', '=', account)
    .where('build', '=', build)
    .where('path', '=', path),
)
const storeOf = compileOnce((db: Db, account: string, build: string) =>
  db.selectFrom('site_builds').select('store').where('account_id', '=', account).where('id', '=', build),
)

export type ServedFile = SiteFileRow & { store: string }

export async function findServedFile(db: Db, site: ServedSite, path: string): Promise<ServedFile | null> {
  const { account_id, current_build: build } = site
  if (build === null) return null
  const [file] = await fileAt(db, account_id, build, path)
  if (!file) return null
  const [kept] = await storeOf(db, account_id, build)
  return kept?.store ? { ...file, store: kept.store } : null
}

const roleOf = compileOnce((db: Db, account: string, user: string) =>
  db.selectFrom('memberships').select('role').where('account_id', '=', account).where('user_id', '=', user),
)

/** Whether a person may visit a site. If the creator is unknown, a private site is open only to owners of the account. */
export async function mayVisit(db: Db, site: ServedSite, userId: string): Promise<boolean> {
  if (site.access_mode === 'public') return true
  const [membership] = await roleOf(db, site.account_id, userId)
  return membership !== undefined && isOpenTo(site, { users: [userId], roles: [membership.role] })
}

/** Whether all the users, who must be members of the account, may visit a site. */
export function isOpenTo(
  { access_mode, creator }: Pick<ServedSite, 'access_mode' | 'creator'>,
  { users, roles }: { users: readonly string[]; roles: readonly Role[] },
): boolean {
  if (access_mode === 'public' || access_mode === 'account') return true
  if (access_mode === 'admins_only') return include(roles, 'content.visit_any')
  return creator === '' ? roles.every((role) => role === 'owner') : users.every((user) => user === creator)
}
