import { describe, expect, it } from 'vitest'
import { withoutLeftOut } from '../../src/contract/documents/event-types.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { bodyOf, call, pathOf, stock, stockFor } from '../support/stock.ts'

const PAST = '2026-01-01T00:00:00Z'

/** What operations leave that may leave one thing or another. */
const OF_SEVERAL: Record<string, string[]> = {
  create_checkout: ['checkout.created'],
  update_checkout: [],
  create_file: ['file.created'],
  confirm_file_upload: ['file.ready'],
  create_refund: ['refund.created'],
  create_invoice: ['invoice.created'],
  void_invoice: ['invoice.voided'],
  send_email: ['email.created', 'email.sent'],
  create_form_submission: ['form_submission.created'],
  archive_form: ['form.archived'],
  restore_form: ['form.restored'],
  cancel_subscription: ['subscription.updated'],
  pause_subscription: ['subscription.paused'],
  resume_subscription: ['subscription.resumed'],
  submit_formation: ['formation.submitted'],
  update_task_run: ['ai_task_run.started'],
  connect_social_account: ['social_account.created'],
  disconnect_social_account: ['social_account.disconnected'],
  publish_social_post: ['social_post.updated', 'social_post.published'],
  retry_social_post: ['social_post.updated', 'social_post.published'],
  schedule_social_post: ['social_post.scheduled', 'social_post.updated'],
  duplicate_social_post: ['social_post.created'],
  reply_to_social_comment: ['social_comment.created', 'social_comment.updated'],
}

/** What the jobs leave that an answer waits for; the answer shows the resource as they left it. */
const OF_AWAITED_JOBS: Record<string, string[]> = {
  send_email: ['email.sent'],
  publish_social_post: ['social_post.published'],
  retry_social_post: ['social_post.published'],
  reply_to_social_comment: ['social_comment.updated'],
}
/** What jobs leave that no answer waits for. They may have worked before the events are read. */
const OF_LATER_JOBS: Record<string, string[]> = {
  submit_formation: ['formation.completed', 'email.created', 'email.sent'],
}
/** Shows what the answer confirms to be gone. */
const LAST_WORD = 'social_account.disconnected'

describe('Every write', () => {
  onEachEngine((shop) => {
    it('leaves the events it declares, with the resource as it is shown, and no others', async () => {
      for (const operation of shop.operations.filter((one) => one.writes)) {
        const ids = await stockFor(shop, operation)
        let shown: Body
        const left = await shop.eventsOf(async () => {
          const { status, body } = await call(shop, operation, ids)
          expect([operation.id, status]).toEqual([operation.id, operation.status])
          shown = body
        })
        const events = left.filter(({ type }) => !OF_LATER_JOBS[operation.id]?.includes(type))
        const declaredTypes = [...operation.emits, ...(OF_AWAITED_JOBS[operation.id] ?? [])]
        const undeclared = events.filter(({ type }) => !declaredTypes.includes(type))
        expect([operation.id, undeclared]).toEqual([operation.id, []])
        const own = events.filter(({ data }) => data.id === shown.id)
        const declared = operation.emits.filter((type) => isOwn(type, operation))
        const expected = operation.id === 'position_review' ? [] : (OF_SEVERAL[operation.id] ?? declared)
        expect([operation.id, ...own.map(({ type }) => type)]).toEqual([operation.id, ...expected])
        if (!OF_AWAITED_JOBS[operation.id])
          for (const { type, data } of own)
            if (type !== LAST_WORD) expect(data).toEqual(withoutLeftOut(operation.noun, shown))
        for (const { type, previous } of events) expect(previous === null).toBe(!type.endsWith('.updated'))
      }
    })

    it('leaves none when it is refused', async () => {
      const ids = await stock(shop)
      const events = await shop.eventsOf(async () => {
        for (const operation of shop.operations.filter((one) => one.writes)) {
          const noun = { ...ids, [operation.noun.name]: 'nonsense' }
          if (operation.addressed) await shop.api(operation.method, pathOf(operation, noun), {})
          const wrong = Object.fromEntries(Object.keys(bodyOf(shop, operation, ids) ?? {}).map((name) => [name, '']))
          if (operation.body) await shop.api(operation.method, pathOf(operation, ids), wrong)
        }
      })
      expect(events).toEqual([])
    })

    it('leaves none when nothing changes', async () => {
      const ids = await stock(shop)
      for (const operation of shop.operations.filter((one) => one.kind === 'update')) {
        const path = pathOf(operation, ids)
        await shop.patch(path, bodyOf(shop, operation, ids))
        await shop.set(operation.noun.plural as 'products', ids[operation.noun.name]!, { updated_at: PAST })
        const before = await shop.get(path)
        expect(before.updated_at).toBe(PAST)
        // The status that a run has already is a claim that came too late.
        const same = Object.fromEntries(
          Object.keys(operation.body!)
            .filter((name) => before[name] != null && !(operation.id === 'update_task_run' && name === 'status'))
            .map((name) => [name, before[name]]),
        )
        expect([operation.id, await shop.eventsOf(() => shop.patch(path, { ...same, metadata: {} }))]).toEqual([
          operation.id,
          [],
        ])
        expect(await shop.get(path)).toEqual(before)
      }
      await shop.post(`/customers/${ids.customer}/tags`, { tags: ['Same'] })
      const again = () => shop.post(`/customers/${ids.customer}/tags`, { tags: ['same'] })
      expect(await shop.eventsOf(again)).toEqual([])
      expect(await shop.eventsOf(() => shop.post(`/reviews/${ids.review}/position`, { position: 1 }))).toEqual([])
    })

    it('tells when something changed last', async () => {
      for (const operation of shop.operations.filter((one) => one.kind === 'update' || one.kind === 'action')) {
        const ids = await stockFor(shop, operation)
        const id = ids[operation.noun.name]!
        if (operation.id === 'position_review') await shop.review((await shop.get(`/reviews/${id}`)).product)
        await shop.set(operation.noun.plural as 'products', id, { updated_at: PAST })
        const body = { ...bodyOf(shop, operation, ids), ...(operation.id === 'update_account' && { name: 'Changed' }) }
        const { updated_at } = (await shop.api(operation.method, pathOf(operation, ids), body)).body
        expect([operation.id, updated_at > PAST]).toEqual([operation.id, true])
      }
    })

    it('tells of a change what was before, of the changed fields alone', async () => {
      const { id } = await shop.product({ name: 'Old', metadata: { a: '1' } })
      const changes = { name: 'New', status: 'active', metadata: { b: '2' } }
      const [updated] = await shop.eventsOf(() => shop.patch(`/products/${id}`, changes))
      expect(updated).toMatchObject({ type: 'product.updated', data: { ...changes, metadata: { a: '1', b: '2' } } })
      expect(updated!.previous).toEqual({ name: 'Old', status: 'draft', published_at: null, metadata: { a: '1' } })

      const customer = await shop.customer({ name: 'Ada King' })
      const [tagged] = await shop.eventsOf(() => shop.post(`/customers/${customer.id}/tags`, { tags: ['VIP'] }))
      expect(tagged!.previous).toEqual({ tags: [] })
      expect(tagged!.data.tags).toHaveLength(1)
      const [renamed] = await shop.eventsOf(() => shop.patch(`/customers/${customer.id}`, { last_name: 'Lovelace' }))
      expect(renamed!.previous).toEqual({ name: 'Ada King', last_name: 'King' })

      const discount = await shop.discount()
      const [switched] = await shop.eventsOf(() => shop.patch(`/discounts/${discount.id}`, { status: 'inactive' }))
      expect(switched!.previous).toEqual({ status: 'active' })
    })

    it('tells of everything that goes with a product', async () => {
      const { id } = await shop.product()
      const [price, review] = [await shop.price(id), await shop.review(id)]
      const discount = await shop.discount({ applies_to_product_ids: [id], price_variants: [price.id] })
      const events = await shop.eventsOf(() => shop.delete(`/products/${id}`))
      expect(events.map(({ type, data }) => [type, data.id])).toEqual([
        ['discount.updated', discount.id],
        ['price_variant.deleted', price.id],
        ['review.deleted', review.id],
        ['product.deleted', id],
      ])
      expect(events[0]!.previous).toEqual({
        applies_to_product_ids: [id],
        price_variants: [price.id],
        status: 'active',
      })
      expect(events[3]!.data).toEqual({ id, object: 'product', deleted: true })
    })

    it('shows references collapsed, whatever the answer expands', async () => {
      const { id } = await shop.product()
      const body = { product_id: id, amount: 5 }
      const [event] = await shop.eventsOf(() => shop.post('/price_variants?expand=product', body))
      expect(event!.data.product).toBe(id)
    })
  })
})

const EVENTS_BY_KIND: Record<string, string> = {
  create: 'created',
  update: 'updated',
  action: 'updated',
  delete: 'deleted',
}

/** The events that an operation emits for the resource it answers, and not for others that change with it. */
function isOwn(type: string, { kind, noun }: { kind: string; noun: { eventsNamed: string } }): boolean {
  return type === `${noun.eventsNamed}.${EVENTS_BY_KIND[kind]}` || (type === 'lead.created' && kind === 'create')
}
