import { dueJob } from '../../../records/job.ts'
import { returnReserved } from './return_credits.ts'

/** Returns credits whose reservation nobody has settled, as after a crash. */
export const returnLostCredits = dueJob<{ reservation: string }>('credits.return', {
  async work(context, { reservation }) {
    await returnReserved(context, reservation)
  },
})
