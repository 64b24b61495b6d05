import type { Row } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { isProvenElsewhere, recordOf } from '../domain_names.ts'
import { nextPauseMs } from '../domain_pauses.ts'
import { AiSite } from './ai_site.ts'

interface Check {
  site: string
  /** Its number. The check of another domain, or of the same one anew, has a higher one. */
  check: number
  /** When it was asked for, by the account's clock. */
  since: string
}

/** Looks for the record of a site's domain, later and later, for three days. */
export const verifyDomain = job('site.verify_domain', {
  emits: ['ai_site.updated'],
  async work(place, check: Check) {
    const record = await place.transaction(async (context) => {
      const site = await unproven(context, check)
      return site && recordOf(context, 'site', site)
    })
    if (record === null) return
    const texts = await place.services.domains.texts(record.name)
    await place.finish(async (context) => {
      const site = await unproven(context, check)
      if (!site) return
      if (texts.includes(record.value)) await prove(context, site)
      else await lookAgain(context, check)
    })
  },
})

type Unproven = Row<typeof AiSite> & { domain: string }

/** The site, while this check of its domain is the one that counts. */
async function unproven(context: Context, { site: id, check }: Check): Promise<Unproven | null> {
  const site = await findRow(context, AiSite, id)
  if (!site || site.domain === null || site.domain_verified || site.domain_checks !== check) return null
  return { ...site, domain: site.domain }
}

async function prove(context: Context, site: Unproven): Promise<void> {
  if (await isProvenElsewhere(context, site.domain, site.id)) return
  await context.remember(AiSite, [site])
  const proven = { domain_verified: true, verified_domain: site.domain }
  context.emit(AiSite, 'updated', await changeRow(context, AiSite, site, proven))
}

async function lookAgain(context: Context, check: Check): Promise<void> {
  const pause = nextPauseMs(context.now, check.since)
  if (pause === null) return
  await context.enqueue(verifyDomain, check, { runAt: laterBy(context.now, pause) })
}
