import type { DomainKind } from '../../../../records/extensions.ts'
import { AiSite } from './ai-site.ts'

export const SITE_DOMAIN: DomainKind = {
  name: 'site',
  noun: AiSite,
  column: 'verified_domain',
  job: 'site.check_domain',
  pointsHere: false,
}
