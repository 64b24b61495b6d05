import { answerNoun } from '../../contract/declarations/noun.ts'

/** The response of writes after which the page shows another page. */
export const Done = answerNoun('done', { group: 'Dashboard', description: 'It is done.', fields: {} })

/** Returns the response once `work` is done. */
export async function done(work: Promise<unknown>): Promise<Record<never, never>> {
  await work
  return {}
}
