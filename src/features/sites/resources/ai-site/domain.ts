import { currentTimestamp } from '../../../../contract/values/values.ts'
import type { DomainKind } from '../../../../records/extensions.ts'
import { changeRow, findRow, requireRow } from '../../../../records/records.ts'
import { type DomainHolder, domainCheck } from '../../../../resources/content/own-domain.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'

export const SITE_DOMAIN: DomainKind = {
  name: 'site',
  noun: AiSite,
  column: 'verified_domain',
  job: 'site.check_domain',
  pointsHere: false,
}

const UPDATED = 'ai_site.updated'

export function domainOf({ id, domain, verified_domain, domain_checks }: AiSiteRow) {
  return { id, domain, verified: verified_domain, checks: domain_checks }
}

export function domainColumns({ verified, checks }: { verified: string | null; checks: number }) {
  return { domain_verified: verified !== null, verified_domain: verified, domain_checks: checks }
}

const siteDomain: DomainHolder = {
  kind: SITE_DOMAIN,
  async find(context, id) {
    const site = await findRow(context, AiSite, id)
    return site ? domainOf(site) : null
  },
  async change(context, id, change) {
    const site = await requireRow(context, AiSite, id)
    await context.remember(AiSite, [site])
    context.emit(AiSite, 'updated', await changeRow(context, AiSite, site, domainColumns(change)))
  },
}

export const checkSiteDomain = domainCheck(siteDomain, UPDATED)

const earlier = domainCheck(siteDomain, UPDATED, 'site.verify_domain')
/** Runs checks that earlier versions enqueued. They were scheduled by the account's clock instead of real time. */
export const verifyDomain: typeof earlier = {
  ...earlier,
  work: (job, check) => earlier.work(job, { ...check, since: currentTimestamp() }),
}
