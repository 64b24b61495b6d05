import { describe, expect, it } from 'vitest'
import { oneOf } from '../../src/contract/declarations/kinds.ts'
import { noun } from '../../src/contract/declarations/noun.ts'
import { openapi } from '../../src/contract/documents/openapi.ts'
import { Presenter } from '../../src/pipeline/present.ts'
import { resource } from '../../src/records/resource.ts'
import { verbs } from '../../src/records/verbs.ts'

const Parcel = noun('parcel', {
  prefix: 'parcel',
  group: 'Parcels',
  description: 'Something on its way.',
  fields: { status: oneOf(['packed', 'sent', 'returned'], 'Where it is').readOnly() },
  states: { packed: ['send', 'unpack'], sent: ['recall'], returned: [] },
})

const { action } = verbs(Parcel)
const parcels = resource(Parcel, {
  operations: ['send', 'unpack', 'recall'].map((name) =>
    action(name, { summary: `Do ${name}`, rule: async (_, row) => ({ ...row, status: 'returned' as const }) }),
  ),
})

const row = (status: string) => ({ id: 'parcel_1', status, created_at: '2026-01-01T00:00:00Z', updated_at: '' })

describe('A noun with states', () => {
  const present = new Presenter([parcels])

  it('shows the actions that its state permits', async () => {
    for (const [status, actions] of Object.entries(Parcel.states!)) {
      const shown = await present.presentOne({} as never, Parcel, row(status))
      expect(shown).toMatchObject({ object: 'parcel', status, allowed_actions: actions })
    }
  })

  it('permits exactly those, and names them when it refuses another', async () => {
    for (const [status, allowed] of Object.entries(Parcel.states!)) {
      for (const operation of parcels.operations) {
        const name = operation.path.split('/').at(-1)!
        const done = operation.apply({} as never, { target: row(status), path: {}, input: {}, query: {} })
        if (allowed.includes(name)) expect(await done).toMatchObject({ kind: 'one', row: { status: 'returned' } })
        else {
          const can = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'No actions are allowed in this state.'
          await expect(done).rejects.toMatchObject({
            code: 'invalid_state',
            message: `Cannot ${name} a parcel that is ${status}. ${can}`,
          })
        }
      }
    }
  })

  it('is documented with its actions', () => {
    const document = openapi(parcels.operations as never[], [Parcel], present.findNoun, '/v1') as {
      paths: Record<string, Record<string, { operationId: string }>>
      components: { schemas: { Parcel: { properties: object; required: string[] } } }
    }
    expect(document.paths['/parcels/{id}/send']!.post!.operationId).toBe('send_parcel')
    expect(document.components.schemas.Parcel.required).toContain('allowed_actions')
  })
})
