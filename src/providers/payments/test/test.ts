import { laterBy } from '../../../contract/values/values.ts'
import type { DeclineCode } from '../../../format/declines.ts'
import type { DisputeDesk, DisputeReport } from '../disputes.ts'
import type {
  Failure,
  PaymentOutcome,
  PaymentReference,
  RefundOutcome,
  SavedMethod,
  TestProvider,
} from '../provider.ts'

/** The evidence texts that decide a test dispute, the same as at other payment services. */
const WINS = 'winning_evidence'
const LOSES = 'losing_evidence'

/** A test dispute is decided by one of the two texts above, or lost when it is accepted. Otherwise, it stays under review. */
const testDisputes: DisputeDesk = {
  answer: async ({ evidence: { answer } }) => ({ state: 'taken', became: disputeStateAfter(answer) }),
  accept: async () => ({ state: 'taken', became: 'lost' }),
}

/** The behaviour of a test card. References and tokens contain it; the card number is stored only as its last four digits. */
type Behaviour = 'succeeds' | 'declined' | 'second_step' | 'fails_later' | 'no_refund' | 'disputed'

/** Other payment services use the same test card numbers. */
const CARDS: readonly { number: string; behaviour: Behaviour; description: string }[] = [
  { number: '4242424242424242', behaviour: 'succeeds', description: 'succeeds' },
  { number: '4000000000000002', behaviour: 'declined', description: 'is declined' },
  { number: '4000002500003155', behaviour: 'second_step', description: 'needs a second step at the bank' },
  { number: '4000000000000341', behaviour: 'fails_later', description: 'succeeds now and fails at renewal' },
  { number: '4000000000005126', behaviour: 'no_refund', description: 'succeeds and fails at refund' },
  { number: '4000000000000259', behaviour: 'disputed', description: 'succeeds and is disputed' },
]

const REFERENCE = /^test_(succeeds|declined|second_step|fails_later|no_refund|disputed)_(.+)$/
const DECLINED = 'The card was declined.'
/** The time that the simulated bank allows for an answer: seven days, like most banks. */
const ANSWER_MS = 7 * 24 * 60 * 60 * 1000

/** Takes no money: the card number determines the outcome. It has no state, so it behaves the same in every replica. */
export const testProvider: TestProvider = {
  name: 'test',
  title: 'Test cards',
  noticesPath: null,
  processor: 'test',
  live: false,
  reason: 'No payment provider is set up, so buyers pay with test cards.',
  missing: [],
  immediate: true,
  disputes: testDisputes,
  cards: CARDS.map(({ number, description }) => ({ number, description })),

  cardProblem: (card) => (behaviourOf(card) ? null : unknownCard()),

  collect: async ({ key, card = CARDS[0]!.number, returnUrl }) => {
    const behaviour = behaviourOf(card)
    if (!behaviour) return { state: 'failed', reference: null, message: unknownCard() }
    const reference = `test_${behaviour}_${key}`
    return behaviour === 'second_step' ? { state: 'needs_buyer', reference, url: returnUrl } : outcomeOf(reference)
  },

  charge: async ({ key, method: { token } }) => {
    if (!CARDS.some(({ behaviour }) => behaviour === token))
      return { state: 'failed', reference: null, message: 'The saved card belongs to another payment provider.' }
    return outcomeOf(`test_${token === 'fails_later' ? 'declined' : token}_${key}`)
  },

  refund: async ({ key, reference }): Promise<RefundOutcome> => {
    const refund = `test_refund_${key}`
    if (read(reference).behaviour === 'no_refund')
      return { state: 'failed', reference: refund, message: 'The bank refused the refund.' }
    return { state: 'succeeded', reference: refund }
  },

  lookUp: async ({ reference }) => outcomeOf(reference),
  abandon: async () => {},

  answerSecondStep: async ({ key, reference, approved }): Promise<PaymentOutcome> => {
    const step = read(reference)
    if (step.behaviour !== 'second_step' || step.key !== key)
      throw new Error(`The payment ${key} has no second step to answer.`)
    if (!approved) return failure(reference, 'The payment was not approved at the bank.', 'authentication_required')
    const method = { ...methodOf('second_step'), token: 'succeeds' }
    return { state: 'succeeded', reference: `test_succeeds_${key}`, method }
  },

  disputeOf({ reference, paidAt }) {
    const { behaviour, key } = read(reference)
    if (behaviour !== 'disputed') return null
    const bank = { amount: null, inquiry: false, reason: 'fraudulent', dueAt: laterBy(paidAt, ANSWER_MS) } as const
    return { reference: `test_dispute_${key}`, state: 'opened', ...bank }
  },

  readNotice: async () => null,
}

/** Returns the behaviour of a test card. Ignores blanks and hyphens in the number. */
function behaviourOf(card: string): Behaviour | undefined {
  const number = card.replaceAll(/[\s-]/g, '')
  return CARDS.find((one) => one.number === number)?.behaviour
}

/** Reads the outcome from the reference. Only a payment that waits for a second step is pending. */
function outcomeOf(reference: string): PaymentOutcome {
  const { behaviour } = read(reference)
  if (behaviour === 'declined') return failure(reference, DECLINED, 'card_declined')
  if (behaviour === 'second_step') return { state: 'pending', reference }
  return { state: 'succeeded', reference, method: methodOf(behaviour) }
}

function methodOf(behaviour: Behaviour): SavedMethod {
  const known = CARDS.find((card) => card.behaviour === behaviour)
  return { token: behaviour, ...(known && { card: `Visa ending in ${known.number.slice(-4)}` }) }
}

function failure(reference: string, message: string, code: DeclineCode): Failure {
  return { state: 'failed', reference, message, code }
}

function read(reference: PaymentReference['reference']): { behaviour: Behaviour; key: string } {
  const [, behaviour, key] = REFERENCE.exec(reference) ?? []
  if (behaviour === undefined || key === undefined) throw new Error('The reference does not belong to a test payment.')
  return { behaviour: behaviour as Behaviour, key }
}

function unknownCard(): string {
  const cards = CARDS.map(({ number, description }) => `${number} ${description}`)
  return `Test mode accepts only these cards: ${cards.join('; ')}.`
}

function disputeStateAfter(answer: string): DisputeReport['state'] {
  if (answer.includes(WINS)) return 'won'
  return answer.includes(LOSES) ? 'lost' : 'under_review'
}
