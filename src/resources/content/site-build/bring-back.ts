import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { AiSite } from '../ai-site/ai-site.ts'
import { requireOpen } from '../ai-site/open.ts'
import type { SiteBuildRow } from './site-build.ts'

/** Restores the previous build; the present one becomes the previous one. Throws `invalid_state` for other builds. */
export async function bringBack(context: Context, build: SiteBuildRow): Promise<SiteBuildRow> {
  const site = await findRow(context, AiSite, build.site)
  if (!site || site.previous_build !== build.id || build.status !== 'complete')
    throw new ApiError('invalid_state', 'Only the build that a site showed before its present one can be brought back.')
  requireOpen(context, site)
  await context.remember(AiSite, [site])
  const changed = await changeRow(context, AiSite, site, {
    current_build: build.id,
    previous_build: site.current_build,
    reported_url: null,
    is_live: true,
    build_status: site.build_status === 'building' || site.build_status === 'queued' ? site.build_status : 'live',
  })
  context.emit(AiSite, 'updated', changed)
  return build
}
