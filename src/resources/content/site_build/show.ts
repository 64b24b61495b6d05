import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { AiSite } from '../ai_site/ai_site.ts'
import type { SiteBuildRow } from './site_build.ts'

export async function deriveBuilds(rows: SiteBuildRow[], context: Context): Promise<Derived[]> {
  const sites = await findRows(
    context,
    AiSite,
    rows.map(({ site }) => site),
  )
  return rows.map(({ id, site, status }) => ({
    is_current: sites.get(site)?.current_build === id,
    can_be_brought_back: status === 'complete' && sites.get(site)?.previous_build === id,
  }))
}
