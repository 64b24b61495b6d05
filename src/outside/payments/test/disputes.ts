import type { DisputeDesk, DisputeReport } from '../disputes.ts'

/** The words of an answer that decide a dispute, which other services have for tests too. */
const WINS = 'winning_evidence'
const LOSES = 'losing_evidence'

/** The bank of test cards reads two words and takes its time over everything else. */
export const testDisputes: DisputeDesk = {
  answer: async ({ evidence: { answer } }) => ({ state: 'taken', became: becomes(answer) }),
  accept: async () => ({ state: 'taken', became: 'lost' }),
}

function becomes(answer: string): DisputeReport['state'] {
  if (answer.includes(WINS)) return 'won'
  return answer.includes(LOSES) ? 'lost' : 'under_review'
}
