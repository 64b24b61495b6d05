import { html } from 'hono/html'
import { view } from '../kit/visit.ts'
import { shortened } from '../kit/words.ts'
import { amount, amountOf } from './money.ts'

export const refundView = view('refund', {
  title: (refund) => `Refund of ${amountOf(refund)}`,
  columns: ['back', 'why', 'status', 'created_at'],
  cells: {
    back: { title: 'Refund', show: (_, refund) => amount(refund) },
    why: {
      title: 'Reason',
      show: (_, { reason, failure_message: failure }) => {
        const words = [reason, failure].filter(Boolean).join('. ')
        return words === '' ? html`<span class="none">None given</span>` : html`${shortened(words)}`
      },
    },
  },
})
