import { startReceiver } from '../support/receiver.ts'
import { pay } from '../support/sell.ts'
import { bodyOf } from '../support/stock.ts'
import { after, having, type Way, type Ways } from './ways.ts'

let receiver: ReturnType<typeof startReceiver> | undefined

/** Each account has few of them, so the shop has no others. */
const endpoint =
  (status: string): Way =>
  async (shop) => {
    receiver ??= startReceiver({ keepsAlive: false })
    const { url } = await receiver
    for (const id of await shop.listed('/webhook_endpoints?limit=100')) await shop.delete(`/webhook_endpoints/${id}`)
    return (await shop.post('/webhook_endpoints', { url, enabled_events: ['customer.confirmed'], status })).id
  }

const form: Way = async (shop) => (await shop.post('/forms', { name: 'Contact' })).id

const source: Way = async (shop) =>
  (await shop.post('/event_sources', { provider: 'webhook', event_type: 'received' })).id

const begun: Way = async (shop) => {
  const create = shop.operations.find(({ id }) => id === 'create_formation')!
  return (await shop.post('/formations', bodyOf(shop, create, {}))).id
}

const paid: Way = async (shop) => {
  const id = await begun(shop)
  await pay(shop, (await shop.get(`/formations/${id}`)).checkout)
  return id
}

const run: Way = async (shop) => (await shop.post('/tasks', { name: 'Week', prompt: 'Sum the week up.' })).last_run

/** What a run becomes by the statuses that it is given. */
const through =
  (...statuses: string[]): Way =>
  async (shop) => {
    const id = await run(shop)
    for (const status of statuses) await shop.patch(`/task_runs/${id}`, { status, question: 'Which list?' })
    return id
  }

/** How rows that work for the shop come to their states. What the filing agent decides is set. */
export const companyWays: Ways = {
  webhook_endpoint: { active: endpoint('active'), disabled: endpoint('disabled') },
  form: { active: form, archived: after('/forms/{id}/archive', form) },
  event_source: { active: source, error: having('event_sources', { status: 'error' }, source) },
  formation: {
    awaiting_payment: begun,
    pending: paid,
    submitted: having('formations', { status: 'submitted' }, paid),
    completed: having('formations', { status: 'completed' }, paid),
    failed: having('formations', { status: 'failed' }, paid),
    'failed, unpaid': having('formations', { status: 'failed' }, begun),
    'failed, refunded': having('formations', { status: 'failed', payment_status: 'refunded' }, paid),
  },
  task_run: {
    pending: run,
    running: through('running'),
    needs_input: through('running', 'needs_input'),
    completed: through('running', 'completed'),
    failed: through('running', 'failed'),
    canceled: through('canceled'),
  },
}
