import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes, Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { isOfService, isProvenElsewhere } from '../domain_names.ts'
import { AiSite } from './ai_site.ts'
import { verifyDomain } from './jobs.ts'
import { requireFreeSubdomain } from './subdomain.ts'

type SiteRow = Row<typeof AiSite>

/** Changes a site. A domain that is given is looked up, also when it is the same one again. */
export async function updateSite(context: Context, site: SiteRow, changes: Changes<typeof AiSite>): Promise<SiteRow> {
  const { subdomain, domain } = changes
  if (subdomain && subdomain !== site.subdomain) await requireFreeSubdomain(context, subdomain, site.id)
  if (domain && isOfService(context, domain)) throw invalid({ domain: ['belongs to this service; use the subdomain'] })
  if (domain && (await isProvenElsewhere(context, domain, site.id)))
    throw invalid({ domain: ['has already been taken'] })
  const changed = await changeRow(context, AiSite, site, { ...changes, ...domainChanges(site, domain) })
  if (changed.domain_checks !== site.domain_checks)
    await context.enqueue(verifyDomain, { site: site.id, check: changed.domain_checks, since: context.now })
  context.emit(AiSite, 'updated', changed)
  return changed
}

/** Every check has a number, so that a newer one ends the one before. */
function domainChanges(site: SiteRow, domain: string | null | undefined): Partial<SiteRow> {
  if (domain === undefined) return {}
  const isOther = domain !== site.domain
  const wantsCheck = domain !== null && (isOther || !site.domain_verified)
  return {
    ...(isOther && { domain_verified: false, verified_domain: null }),
    ...(wantsCheck && { domain_checks: site.domain_checks + 1 }),
  }
}
