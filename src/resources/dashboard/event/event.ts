import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

const values = z.record(z.string(), z.unknown())

/** The resource as it was after the event. A deleted resource has only a few fields. */
type EventData = { object?: string; deleted?: boolean } & Record<string, unknown>

export const Event = noun('event', {
  prefix: 'evt',
  group: 'Developers',
  area: 'developers',
  description: 'Something that happened to a resource of the account; kept for 30 days.',
  immutable: true,
  fields: readOnly({
    type: text('Event type', { example: 'product.updated' }),
    resource_id: text('Id of the resource', { example: 'prod_01k9z6v8q2f3x7c5m1n4b0r8ta' }),
    data: structure<EventData>('object', values, 'The resource as it was then', {
      id: 'prod_…',
      object: 'product',
    }).long(),
    previous_attributes: structure('object', values, 'Old values of the fields that changed', { name: 'Tea' }).nullable(
      'no fields changed',
    ),
  }),
})
