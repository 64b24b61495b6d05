import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { REFERENCES } from '../../src/integrity/references.ts'

const { dashboard, references, shop } = PRODUCT

/** Columns whose row may be gone, and why. */
const MAY_BE_GONE: Record<string, string> = {
  'blog_posts.category': 'a category can be deleted',
  'checkout_links.discount': 'a code that nobody redeemed can be deleted',
  'checkouts.discount': 'a code that nobody redeemed can be deleted',
  'emails.customer': 'what was sent is kept',
  'formations.checkout': 'a checkout is made anew',
  'invoices.price_variant': 'an invoice keeps its line',
  'order_items.price_variant': 'a fee has no price',
  'order_items.product': 'a fee has no product',
  'orders.discount': 'an order that failed redeemed no code',
  'sites.build_task': 'a task can be deleted',
  'social_comments.parent': 'a comment goes when its network says so',
  'social_comments.social_account': 'an account can be deleted',
  'social_comments.social_post': 'a post can be deleted',
  'social_deliveries.social_account': 'an account can be deleted',
  'subscriptions.discount': 'a code ends before its subscription',
  'tasks.event_source': 'a source of a paused task can be deleted',
  'tasks.last_run': 'runs are pruned',
  'webhook_attempts.webhook_event': 'deliveries are pruned first',
  'webhook_events.webhook_endpoint': 'an endpoint can be deleted',
}

describe('the references that npm run verify checks', () => {
  it('are all that nouns declare, but for those that may be gone', () => {
    const stored = [...shop, ...dashboard].flatMap(({ noun }) => (noun.prefix === null ? [] : [noun]))
    const declared = stored.flatMap(({ plural, fields }) =>
      Object.entries(fields).flatMap(([name, { spec }]) =>
        spec.relation?.kind === 'one' && spec.use === 'stored' ? [`${plural}.${name}`] : [],
      ),
    )
    const checked = { ...REFERENCES, ...references }
    const known = new Set([...Object.keys(checked), ...Object.keys(MAY_BE_GONE)])
    expect(declared.length).toBeGreaterThan(30)
    expect(declared.filter((column) => !known.has(column))).toEqual([])
    expect(Object.keys(MAY_BE_GONE).filter((column) => column in checked)).toEqual([])
  })
})
