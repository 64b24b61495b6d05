import { z } from 'zod'
import type { PublishRequest } from '../../../outside/social/provider.ts'
import type { JobPlace } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { SocialDelivery } from './social_delivery.ts'

const PURPOSE = 'social progress'
const Kept = z.record(z.string(), z.string())

type Progress = NonNullable<PublishRequest['progress']>

/** What is kept of a delivery between tries. A try that has lost its place to another one cannot keep anything, and so ends. */
export function progressOf(place: JobPlace, delivery: string, stored: string | null): Progress {
  const { vault } = place.services
  let last = stored
  return {
    known: stored === null ? {} : Kept.parse(JSON.parse(vault.open(PURPOSE, stored))),
    async keep(values) {
      const next = Object.keys(values).length === 0 ? null : vault.seal(PURPOSE, JSON.stringify(values))
      await place.transaction(async (context) => {
        const row = await findRow(context, SocialDelivery, delivery)
        if (row?.status !== 'pending' || row.progress !== last)
          throw new Error('Another try goes on with this post, or it has ended.')
        await changeRow(context, SocialDelivery, row, { progress: next })
      })
      last = next
    },
  }
}
