import { text } from '../../contract/declarations/kinds.ts'
import { answerNoun } from '../../contract/declarations/noun.ts'

/** The response of dashboard writes after which the page reads its data again. Each of them declares the right that it needs. */
export const Done = answerNoun('done', {
  group: 'Account',
  area: 'account',
  description: 'It is done.',
  fields: { id: text('Id of what changed, which the log keeps').nullable('none') },
})

/** Returns the response once `work` is done. */
export async function done(work: Promise<unknown>, id: string | null = null): Promise<{ id: string | null }> {
  await work
  return { id }
}
