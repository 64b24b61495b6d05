import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { isOfService } from '../domain_names.ts'
import { claimed, planCheck } from '../own_domain.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'
import { domainColumns, domainOf } from './jobs.ts'
import { requireOpen } from './open.ts'
import { requireFreeSubdomain } from './subdomain.ts'

/** Changes a site. A domain that is given is looked up until it is verified, also when it is the same one again. */
export async function updateSite(
  context: Context,
  site: AiSiteRow,
  changes: Changes<typeof AiSite>,
): Promise<AiSiteRow> {
  requireOpen(context, site)
  const { subdomain, domain } = changes
  if (subdomain && subdomain !== site.subdomain) await requireFreeSubdomain(context, subdomain, site.id)
  if (domain && isOfService(context, domain)) throw invalid({ domain: ['belongs to this service; use the subdomain'] })
  const claim = claimed(domainOf(site), domain)
  const changed = await changeRow(context, AiSite, site, { ...changes, ...(claim && domainColumns(claim)) })
  if (claim && domain)
    await planCheck(context, 'site', { site: site.id, check: claim.checks, since: context.realNow }, 0)
  context.emit(AiSite, 'updated', changed)
  return changed
}
